import { resolve } from 'node:path'
import type { Plan } from '@skills/install'
import type { InstallContext, Sight } from '@skills/install/internal'
import { again, quoted } from '../engine/again.js'
import { firstNames } from '../output/first-names.js'
import { mostNamed } from './plan-text.js'
import { printableLine } from '../output/printable.js'
import { shownPath, withShownPaths } from '../output/shown-path.js'
import type { Invocation } from '../arguments/invocation.js'
import type { Io } from '../io.js'

/** Returns where the skills are now, which agents find them, and the next command. */
export function installedText(
  plan: Plan,
  sights: readonly Sight[],
  context: InstallContext,
  invocation: Invocation,
  io: Io,
): string {
  const { skills, agents, unwired } = plan
  const { place } = context
  const names = skills.map(({ name }) => name)
  const [first = ''] = names
  const folder = shownPath(place.folder, io.cwd)
  const isWanted = Object.keys(agents).length + unwired.length > 0
  const sees = sights.filter(({ misses }) => misses.length === 0).map(({ agent }) => agent)
  const missing = sights.flatMap(({ agent, misses: [miss, ...more] }) => {
    if (miss === undefined) return []
    const which = more.length === 0 ? '' : `${printableLine(miss.name)} and ${more.length} more: `
    const because = printableLine(withShownPaths(miss.because, io.cwd))
    return [`  ○ ${agent}  ${which}${because}. ${remedyFor(agent, miss, plan, context, invocation, io)}`]
  })
  return [
    `Installed: ${firstNames(names, mostNamed)}`,
    `  in  ${printableLine(names.length === 1 ? `${folder}/${first}` : folder)}`,
    ...(isWanted || sees.length === 0 ? [] : ['No agent was found here. These agents would look there:']),
    ...(sees.length === 0 ? [] : [`  ${sees.map(agent => `● ${agent}`).join('  ')}`]),
    ...missing,
    ...(sights.length > 0 && sees.length === 0 ? [] : [`Next: ${again(`explain ${quoted(first)}`, invocation, io)}`]),
    '',
  ].join('\n')
}

/** Returns a sentence that says how an agent would find a skill, with a command. */
function remedyFor(
  agent: string,
  { name, isElsewhere }: Sight['misses'][number],
  { skills, agents, unwired }: Plan,
  { place }: InstallContext,
  invocation: Invocation,
  io: Io,
): string {
  const scope = place.scope === 'user' ? ' --user' : ''
  const sync = again(`sync --agent ${agent}${scope}`, invocation, io)
  const closed = unwired.find(one => one.name === agent && one.error.code === 'E_WRITE')
  if (closed !== undefined) return `${printableLine(closed.error.hint ?? '')} Then give it the skills: ${sync}`
  if (isElsewhere && !Object.hasOwn(agents, agent)) return `Give it the skills: ${sync}`
  const source = skills.find(one => one.name === name && one.locked.digest === '')?.locked.source
  return source === undefined
    ? `See more: ${again(`explain ${quoted(name)} --distribution ${agent}`, invocation, io)}`
    : `Copy it instead: ${again(`add ${quoted(sourceFrom(source, place, io))} --skill ${quoted(name)}${scope}`, invocation, io)}`
}

/** Returns a folder of `skills.json` as it is typed in the working folder. */
function sourceFrom(source: string, { root }: InstallContext['place'], { cwd }: Io): string {
  return root === cwd ? source : resolve(root, source)
}
