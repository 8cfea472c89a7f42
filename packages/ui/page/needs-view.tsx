import { SkillLink, Waiting } from './parts.js'
import { useAnswer } from './ask.js'

const words = {
  met: '',
  shown: 'as above.',
  cycle: 'requires it again.',
  missing: 'not there.',
  ambiguous: 'not clear.',
}

/** Shows which skills require which, and what they lack. */
export function Needs() {
  const { value, problem } = useAnswer('needs', {})
  if (value === undefined) return <Waiting problem={problem} what="Looking at what skills require" />
  return (
    <div class="column scrolls">
      <h1>What skills require</h1>
      {value.length === 0 && (
        <p>
          No skill requires another. One that does says so in its field <code>requires</code>.
        </p>
      )}
      {value.map(({ name, rows, more, cycles }) => (
        <section key={name}>
          <h2>
            <SkillLink name={name} />
          </h2>
          {cycles.map(cycle => (
            <p key={cycle.join()} class="problem">
              These require each other: {[...cycle, cycle[0]].join(' → ')}. Take one of the steps away.
            </p>
          ))}
          <ul class="plain tree">
            {rows.map((row, at) => (
              <li key={at} style={{ paddingInlineStart: `${row.depth * 1.5}rem` }}>
                {row.name === null ? <s class="name">{row.wanted}</s> : <SkillLink name={row.name} path={row.path} />}{' '}
                <span class="source">{row.source}</span>{' '}
                <span class={row.status === 'met' || row.status === 'shown' ? 'quiet' : 'problem'}>
                  {words[row.status]} {row.hint}
                </span>
              </li>
            ))}
          </ul>
          {more > 0 && <p class="quiet">and {more} more</p>}
        </section>
      ))}
    </div>
  )
}
