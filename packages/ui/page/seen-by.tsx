import { cellWordOf, cellWords, isMisread } from '@skills/inspect/internal/cell-words'
import { isReport, useAnswer } from './ask.js'
import type { AgentCompat } from '@skills/inspect/internal'

/** Shows which agents have a skill, one line for each, with the reason where one has not. */
export function SeenBy({ name, path }: { readonly name: string; readonly path: string | undefined }) {
  // A report has the table of all skills.
  const all = useAnswer(isReport ? 'compat' : 'agents', isReport ? {} : { name, path })
  if (all.problem !== undefined) return <p class="quiet">{all.problem}</p>
  if (all.value === undefined)
    return (
      <p class="quiet" role="status">
        Looking at it as each agent does …
      </p>
    )
  const { skills } = all.value
  const one = skills.find(skill => skill.path === path) ?? skills.find(skill => skill.name === name) ?? skills[0]
  if (one === undefined) return <p class="quiet">No agent finds it.</p>
  return (
    <ul class="plain agents-of">
      {one.agents.map(agent => (
        <li key={agent.agent} class={`cell-${cellWordOf(agent)}`}>
          <span aria-hidden="true">{agent.found === 'here' ? '●' : '○'}</span> <b>{agent.agent}</b>{' '}
          <span class="word">
            {cellWordOf(agent)}
            {isMisread(agent) && '*'}
          </span>
          <p class="hint">{reasonOf(agent)}</p>
        </li>
      ))}
    </ul>
  )
}

/** Returns the reason in sentences, or the meaning of the word if there is nothing more to say. */
function reasonOf(agent: AgentCompat): string {
  const { because, change, fields } = agent
  const misread = fields.flatMap(({ field, use, what }) =>
    what === undefined || use === 'used' ? [] : `${field}: ${use === 'ignored' ? 'ignored, so ' : ''}${what}`,
  )
  const own = [because, change?.text].filter(Boolean).join(' ')
  return [own === '' ? `${cellWords[cellWordOf(agent)]}.` : own, ...misread.map(one => `* ${one}.`)].join(' ')
}
