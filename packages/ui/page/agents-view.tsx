import { LongList } from './virtual-rows.js'
import { SkillLink, Waiting } from './parts.js'
import { useAnswer } from './ask.js'
import { useState } from 'preact/hooks'
import type { AgentCompat, Compat } from '@skills/inspect/internal'

type Word = 'whole' | 'cut' | 'name' | 'user' | 'later' | 'untold' | 'moved' | 'shadowed' | 'lost'

/** Meanings of the words in a cell, as `skills compat` has them. */
const meanings: Readonly<Record<Word, string>> = {
  whole: 'found, and the model is told of it',
  cut: 'found, but its description is cut',
  name: 'found, but the model gets only its name',
  user: 'found, and only people can invoke it, as its author wants',
  later: 'found, and the model is told of it after a file that matches its paths is touched',
  untold: 'found, but the model is not told of it',
  moved: 'not found in its own folder; found after the folder is copied',
  shadowed: 'another skill has its name',
  lost: 'not found in any folder',
}

function wordOf({ found, told }: AgentCompat): Word {
  if (found === 'elsewhere') return 'moved'
  if (found === 'shadowed') return 'shadowed'
  if (found === 'not') return 'lost'
  return told === 'no' ? 'untold' : told
}

const isMisread = ({ fields }: AgentCompat): boolean =>
  fields.some(({ use, what }) => use === 'other' || (use === 'ignored' && what !== undefined))

/** Shows how each agent treats each skill. */
export function Agents() {
  const { value, problem } = useAnswer('compat', {})
  if (value === undefined) return <Waiting problem={problem} what="Looking at the skills as each agent does" />
  return <Table compat={value} />
}

function Table({ compat: { agents, skills } }: { readonly compat: Compat }) {
  const [open, setOpen] = useState<string>()
  const used = new Set(skills.flatMap(skill => skill.agents.map(wordOf)))
  const columns = { gridTemplateColumns: `minmax(9rem, 1.5fr) repeat(${agents.length}, minmax(6rem, 1fr))` }
  const chosen = skills.find(({ path }) => path === open)
  return (
    <div class="column">
      <h1>What each agent makes of them</h1>
      <ul class="plain legend">
        {[...used].map(word => (
          <li key={word}>
            <b class={`cell-${word}`}>{word}</b> {meanings[word]}
          </li>
        ))}
        <li>
          <b>*</b> a field is ignored that does something, or means something else
        </li>
      </ul>
      <div class="agents" role="region" aria-label="Skills and agents" tabIndex={0}>
        <div class="agents-head" style={columns} aria-hidden="true">
          <span>{skills.length.toLocaleString('en')} skills</span>
          {agents.map(({ name, checked, lost }) => (
            <span key={name}>
              <b>{name}</b>
              <br />
              <span class="quiet">
                {[checked?.version, lost > 0 && `${lost} not found`].filter(Boolean).join(' · ')}
              </span>
            </span>
          ))}
        </div>
        <LongList rows={skills} height={36} label="What each agent makes of each skill">
          {skill => (
            <div class="agents-row" style={columns}>
              <SkillLink name={skill.name} />
              {skill.agents.map(one => (
                <button
                  key={one.agent}
                  type="button"
                  class={`cell cell-${wordOf(one)}`}
                  aria-label={`${wordOf(one)}${isMisread(one) ? '*' : ''}, ${one.agent}: ${meanings[wordOf(one)]}`}
                  aria-expanded={open === skill.path}
                  onClick={() => setOpen(open === skill.path ? undefined : skill.path)}
                >
                  {wordOf(one)}
                  {isMisread(one) && '*'}
                </button>
              ))}
            </div>
          )}
        </LongList>
      </div>
      {chosen !== undefined && (
        <section aria-live="polite">
          <h2>
            What would change it for <SkillLink name={chosen.name} />
          </h2>
          <dl>
            {chosen.agents.map(one => (
              <>
                <dt>{one.agent}</dt>
                <dd>
                  {meanings[wordOf(one)]}. {one.because} {one.change?.text}
                  {one.fields.some(({ what }) => what !== undefined) && (
                    <ul>
                      {one.fields
                        .filter(({ what }) => what !== undefined)
                        .map(({ field, use, what }) => (
                          <li key={field}>
                            <code>{field}</code> {use === 'used' ? '' : `${use}: `}
                            {what}
                          </li>
                        ))}
                    </ul>
                  )}
                </dd>
              </>
            ))}
          </dl>
        </section>
      )}
    </div>
  )
}
