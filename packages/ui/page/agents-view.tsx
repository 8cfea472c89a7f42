import { LongList } from './virtual-rows.js'
import { SkillLink, Waiting } from './parts.js'
import { isReport, useAnswer } from './ask.js'
import { cellWordOf, cellWords, isMisread } from '@skills/inspect/internal/cell-words'
import { linkTo, type Route } from './address.js'
import { go } from './route.js'
import type { Compat } from '@skills/inspect/internal'

/** Shows how each agent treats each skill. */
export function Agents({ path }: Route) {
  const { value, problem, isAsking, again } = useAnswer('compat', {})
  if (value === undefined) return <Waiting problem={problem} what="Looking at the skills as each agent does" />
  return <Table compat={value} open={path} isAsking={isAsking} onAgain={again} />
}

interface TableProps {
  readonly compat: Compat
  /** File of the skill whose changes are shown. */
  readonly open: string | undefined
  readonly isAsking: boolean
  readonly onAgain: () => void
}

function Table({ compat: { agents, skills }, open, isAsking, onAgain }: TableProps) {
  const used = new Set(skills.flatMap(skill => skill.agents.map(cellWordOf)))
  const columns = { gridTemplateColumns: `minmax(9rem, 1.5fr) repeat(${agents.length}, minmax(6rem, 1fr))` }
  const chosen = skills.find(({ path }) => path === open)
  return (
    <div class="column">
      <h1>What each agent makes of them</h1>
      {!isReport && (
        <p class="quiet">
          This stays until a skill changes.{' '}
          <button type="button" disabled={isAsking} onClick={onAgain}>
            Look again
          </button>{' '}
          {isAsking && <span role="status">Looking at the skills as each agent does …</span>}
        </p>
      )}
      <ul class="plain legend">
        {[...used].map(word => (
          <li key={word}>
            <b class={`cell-${word}`}>{word}</b> {cellWords[word]}
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
                  class={`cell cell-${cellWordOf(one)}`}
                  aria-label={`${cellWordOf(one)}${isMisread(one) ? '*' : ''}, ${one.agent}: ${cellWords[cellWordOf(one)]}`}
                  aria-expanded={open === skill.path}
                  onClick={() => go(linkTo('agents', undefined, open === skill.path ? undefined : skill.path))}
                >
                  {cellWordOf(one)}
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
                  {cellWords[cellWordOf(one)]}. {one.because} {one.change?.text}
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
