import { useState } from 'preact/hooks'
import { ask, useAnswer } from './ask.js'
import { Body } from './body.js'
import { Guarded } from './guarded.js'
import { linkTo, type Route } from './address.js'
import { Seen } from './seen.js'
import { sentence } from './sentence.js'
import { Waiting } from './parts.js'
import type { RunPage } from '../src/api.js'
import type { RunAnswer, RunEntry } from '@skills/runs'

const time = (at: number): string => new Date(at).toISOString().replace('T', ' ').slice(0, 19) + ' UTC'

/** Shows runs of forked skills. Those that wait for a person are first. */
export function Runs({ name }: Route) {
  const { value, problem } = useAnswer('runs', {}, 'runs')
  if (value === undefined) return <Waiting problem={problem} what="Looking for runs" />
  return (
    <div class={name === undefined ? 'split' : 'split has-detail'}>
      <section class="side scrolls" aria-label="All runs" tabIndex={0}>
        {value.length === 0 && (
          <p class="pad quiet">There are no runs. A skill with context: fork makes one, where runs are kept.</p>
        )}
        <ul class="plain runs">
          {value.map(run => (
            <li key={run.id} aria-current={run.id === name ? 'true' : undefined}>
              <a href={linkTo('runs', run.id)}>
                {'problem' in run ? (
                  <span class="problem">{run.problem.message}</span>
                ) : (
                  <>
                    <b class="name">{run.skill.name}</b> <span class={`state-${run.state}`}>{run.state}</span>
                    <span class="hint">
                      {time(run.queuedAt)} {run.question?.message ?? run.args}
                    </span>
                  </>
                )}
              </a>
            </li>
          ))}
        </ul>
      </section>
      <section class="detail" aria-label="The run">
        {name === undefined ? (
          <div class="pad">
            <h1>Runs</h1>
            <p class="quiet">Choose a run to see what it did when, and what it asks.</p>
          </div>
        ) : (
          <Guarded key={name}>
            <Run id={name} />
          </Guarded>
        )}
      </section>
    </div>
  )
}

function Run({ id }: { readonly id: string }) {
  const { value, problem } = useAnswer('run', { id }, 'runs')
  const [said, setSaid] = useState<string>()
  if (value === undefined) return <Waiting problem={problem} what="Reading the run" />
  const { run, journal, isParked } = value
  const { question } = run
  const answer = (given: RunAnswer): void => {
    setSaid('…')
    ask('answer', { id, question: question?.id ?? '', answer: given }).then(
      () => setSaid(`Answered: ${given}.`),
      (error: unknown) => setSaid(sentence(error)),
    )
  }
  return (
    <article>
      <a class="back" href={linkTo('runs')}>
        ← All runs
      </a>
      <h1 class="name">{run.skill.name}</h1>
      <p>
        <b class={`state-${run.state}`}>{run.state}</b>{' '}
        <code>
          /{run.skill.name} {run.args}
        </code>
      </p>
      {isParked && run.state !== 'waiting' && (
        <p class="quiet">No process works on it now: it goes on when one resumes it.</p>
      )}
      {question !== undefined && (
        <section class="question" aria-label="What it asks">
          <h2>
            <Seen text={question.message} />
          </h2>
          <pre tabIndex={0}>
            <Seen text={`${question.tool} ${question.content}`} />
          </pre>
          <p class="buttons">
            <button type="button" onClick={() => answer('deny')}>
              Deny
            </button>
            <button type="button" onClick={() => answer('allow')}>
              Allow this once
            </button>
          </p>
        </section>
      )}
      <p role="status">{said}</p>
      {run.error !== undefined && <p class="problem">{run.error.message}</p>}
      <Timeline journal={journal} since={run.queuedAt} />
      {run.result !== undefined && (
        <section>
          <h2>Its result</h2>
          <Body text={run.result} />
        </section>
      )}
    </article>
  )
}

interface Line {
  readonly at: number
  readonly text: string
  readonly ms?: number | undefined
}

/** Shows the calls of a run over time, each as wide as its share of the run's duration. */
function Timeline({ journal, since }: { readonly journal: RunPage['journal']; readonly since: number }) {
  const lines = linesOf(journal)
  const whole = Math.max(1, ...lines.map(({ at, ms = 0 }) => at + ms - since))
  return (
    <section>
      <h2>What it did</h2>
      <ol class="plain timeline">
        {lines.map(({ at, text, ms }, index) => (
          <li key={index}>
            <span class="quiet">+{((at - since) / 1000).toFixed(1)} s</span>
            <span>
              {text}
              {ms !== undefined && <span class="quiet"> {(ms / 1000).toFixed(1)} s</span>}
            </span>
            <span
              class={ms === undefined ? 'moment' : 'stretch'}
              style={{ marginInlineStart: `${((at - since) / whole) * 97}%`, width: `${((ms ?? 0) / whole) * 97}%` }}
            />
          </li>
        ))}
      </ol>
    </section>
  )
}

function linesOf(journal: readonly RunEntry[]): readonly Line[] {
  const begun = new Map<string, Line>()
  const lines: Line[] = []
  for (const entry of journal) {
    const { at } = entry
    if (entry.type === 'begun') begun.set(entry.key, { at, text: entry.title ?? entry.key })
    else if (entry.type === 'finished') {
      const { at: from, text } = begun.get(entry.key) ?? { at, text: entry.key }
      begun.delete(entry.key)
      lines.push({ at: from, text, ms: at - from })
    } else lines.push({ at, text: textOf(entry) })
  }
  return [...lines, ...[...begun.values()].map(line => ({ ...line, text: `${line.text} …` }))]
}

function textOf(entry: RunEntry): string {
  if (entry.type === 'asked') return `asks: ${entry.question.message}`
  if (entry.type === 'answered') return `answered: ${entry.answer}`
  if (entry.type === 'taken') return `taken by ${entry.holder.name}`
  if (entry.type === 'released') return `given back: ${entry.reason}`
  if (entry.type === 'ended') return entry.state
  return { queued: 'submitted', parked: 'waits; no process holds it' }[entry.type as string] ?? entry.type
}
