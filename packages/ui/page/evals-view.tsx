import { counted } from './words.js'
import { SkillLink, Waiting } from './parts.js'
import { useAnswer } from './ask.js'
import type { EvalReport } from '@skills/evals'
import type { Proportion, QueryTriggers, SkillOutcome, SkillTriggers, TrialEnd } from '@skills/evals/internal'
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet exports nothing
import './evals.css'

/** Shows whether a model picks the skills, and whether they help, each rate with its confidence interval. */
export function Evals() {
  const { value, problem } = useAnswer('evals', {})
  if (value === undefined) return <Waiting problem={problem} what="Looking for an evaluation" />
  if (value.report === null)
    return (
      <div class="column">
        <h1>What a model makes of the skills</h1>
        <p class="quiet">
          No model was asked yet. <code>skills eval --model anthropic/NAME</code> asks one, and keeps what it found for
          this page.
        </p>
      </div>
    )
  const { model, triggers, outcomes, stale } = value.report
  const names = [...new Set([...(triggers?.skills ?? []), ...(outcomes?.skills ?? [])].map(({ name }) => name))]
  return (
    <div class="column scrolls" tabIndex={0} role="region" aria-label="The evaluation">
      <h1>What {model} makes of the skills</h1>
      {stale.length > 0 && (
        <p class="warning">{counted(stale.length, 'query or task')} changed since it was recorded: record it again.</p>
      )}
      <Compared report={value.report} />
      {names.map(name => (
        <section key={name} aria-label={name}>
          <h2>
            <SkillLink name={name} />
          </h2>
          <Picked skill={triggers?.skills.find(one => one.name === name)} />
          <Helped skill={outcomes?.skills.find(one => one.name === name)} />
        </section>
      ))}
    </div>
  )
}

function Compared({ report: { comparison, against } }: { readonly report: EvalReport }) {
  const changed = comparison?.changes.filter(one => one.isBelow || ['worse', 'better'].includes(one.verdict)) ?? []
  return (
    <ul class="plain">
      {changed.map(({ skill, level, verdict, isBelow }, at) => (
        <li key={at} class={verdict === 'better' ? 'good' : 'problem'}>
          {skill}: {level} is {isBelow && verdict !== 'worse' ? 'below the threshold' : `${verdict} than the baseline`}
        </li>
      ))}
      {against !== undefined && (
        <li>
          The other description of {against.name} is {against.verdict}: <Share share={against.other} />, its own{' '}
          <Share share={against.own} />
        </li>
      )}
    </ul>
  )
}

/** Shows a rate as figures, and its interval as a bar. */
function Share({ share: { successes, trials, rate, low, high } }: { readonly share: Proportion }) {
  if (trials === 0) return <span class="quiet">no trial counts</span>
  const percent = (value: number): string => `${Math.round(value * 100)} %`
  return (
    <span class="share">
      {successes} of {trials}{' '}
      <span class="quiet">
        ({percent(low)} to {percent(high)})
      </span>
      <span class="range" aria-hidden="true">
        <span style={{ left: `${low * 100}%`, width: `${(high - low) * 100}%` }} />
        <i style={{ left: `${rate * 100}%` }} />
      </span>
    </span>
  )
}

function Picked({ skill }: { readonly skill: SkillTriggers | undefined }) {
  if (skill === undefined) return null
  const { name, right, recall, precision, queries } = skill
  const others = [...new Set(queries.flatMap(({ invoked }) => Object.keys(invoked)))]
  const columns = [name, ...others.filter(other => other !== name && other !== ''), ...others.filter(one => one === '')]
  return (
    <>
      <dl>
        <dt>Does right</dt>
        <dd>
          <Share share={right} />
        </dd>
        <dt>Picked when it should be</dt>
        <dd>
          <Share share={recall} />
        </dd>
        <dt>Should be when picked</dt>
        <dd>
          <Share share={precision} />
        </dd>
      </dl>
      <table class="matrix">
        <caption class="quiet">How many trials invoked what</caption>
        <thead>
          <tr>
            <th scope="col">Query</th>
            <th scope="col">Should pick it</th>
            {columns.map(column => (
              <th scope="col" key={column}>
                {column === '' ? 'none' : column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {queries.map(query => (
            <Query key={query.id} query={query} columns={columns} />
          ))}
        </tbody>
      </table>
      {queries.map(({ id, query, trials }) => (
        <Trials key={id} title={query} trials={trials} />
      ))}
    </>
  )
}

function Query({ query, columns }: { readonly query: QueryTriggers; readonly columns: readonly string[] }) {
  return (
    <tr>
      <th scope="row" class={query.passed ? undefined : 'problem'}>
        {query.query}
        {!query.passed && <span> (not as it should)</span>}
      </th>
      <td>{query.shouldTrigger ? 'yes' : 'no'}</td>
      {columns.map(column => (
        <td key={column} class="count">
          {query.invoked[column] ?? ''}
        </td>
      ))}
    </tr>
  )
}

function Helped({ skill }: { readonly skill: SkillOutcome | undefined }) {
  if (skill === undefined) return null
  const { difference, low, high } = skill.difference
  const [points, from, to] = [difference, low, high].map(share => Math.round(share * 100))
  return (
    <>
      <dl>
        <dt>Assertions with it</dt>
        <dd>
          <Share share={skill.with} />
        </dd>
        <dt>Without it</dt>
        <dd>
          <Share share={skill.without} />
        </dd>
        <dt>Helps by</dt>
        <dd>
          {points} points{' '}
          <span class="quiet">
            ({from} to {to})
          </span>
        </dd>
        <dt>Invoked</dt>
        <dd>
          <Share share={skill.invoked} />
        </dd>
      </dl>
      {skill.tasks.map(({ id, prompt, assertions, notAllowed, trials }) => (
        <section key={id} aria-label={id}>
          <h3>{prompt}</h3>
          {notAllowed.length > 0 && <p class="warning">Left out, for it may not run {notAllowed.join(', ')}</p>}
          <table class="matrix">
            <thead>
              <tr>
                <th scope="col">Assertion</th>
                <th scope="col">With it</th>
                <th scope="col">Without it</th>
              </tr>
            </thead>
            <tbody>
              {assertions.map((one, at) => (
                <tr key={at}>
                  <th scope="row">{one.what}</th>
                  <td class="count">
                    {one.with.successes} of {one.with.trials}
                  </td>
                  <td class="count">
                    {one.without.successes} of {one.without.trials}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <Trials title={`${id}, with it`} trials={trials.filter(({ isWith }) => isWith)} />
          <Trials title={`${id}, without it`} trials={trials.filter(({ isWith }) => !isWith)} />
        </section>
      ))}
    </>
  )
}

/** Shows the texts and calls of each trial. */
function Trials({ title, trials }: { readonly title: string; readonly trials: readonly TrialEnd[] }) {
  if (trials.length === 0) return null
  return (
    <details>
      <summary>
        {counted(trials.length, 'transcript')}: {title}
      </summary>
      {trials.map(({ trial, end, steps, problem, transcript }) => (
        <section key={trial}>
          <h4>
            Trial {trial + 1}: {end}, after {counted(steps, 'answer')}
          </h4>
          {problem !== undefined && <p class="problem">{problem}</p>}
          <ol class="plain">
            {linesOf(transcript).map(({ who, text }, at) => (
              <li key={at}>
                <b class="quiet">{who}</b>
                <pre tabIndex={0}>{text}</pre>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </details>
  )
}

function linesOf(transcript: TrialEnd['transcript']): readonly { readonly who: string; readonly text: string }[] {
  return transcript.flatMap(({ role, content }) =>
    typeof content === 'string'
      ? [{ who: role, text: content }]
      : content.map(part => {
          if (part.type === 'text' || part.type === 'reasoning') return { who: role, text: part.text }
          if (part.type === 'tool-call') return { who: `calls ${part.toolName}`, text: JSON.stringify(part.input) }
          if (part.type === 'tool-result')
            return { who: part.toolName, text: 'value' in part.output ? String(part.output.value) : '' }
          return { who: role, text: part.type }
        }),
  )
}
