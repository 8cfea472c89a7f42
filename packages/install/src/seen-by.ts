import { readLock } from './lock.js'
import { sightsOf, type Sight } from './sights.js'
import { ownOf } from './skill-files.js'
import type { InstallContext } from './context.js'
import type { Plan } from './plan.js'

/**
 * Finds out which agents find the skills of a plan that was applied: those that get them, and those that are used here.
 * If there is none of both, every agent that can be recognized.
 */
export async function seenBy(
  { skills, agents, unwired }: Pick<Plan, 'skills' | 'agents' | 'unwired'>,
  context: Pick<InstallContext, 'place' | 'host' | 'signal'>,
): Promise<readonly Sight[]> {
  const lock = readLock(context.place.lock, context.place.home)
  const own = Object.fromEntries(
    skills.flatMap(({ name }) => {
      const locked = ownOf(lock, name)
      return locked === undefined ? [] : [[name, locked] as const]
    }),
  )
  const wanted = [...Object.keys(agents), ...unwired.map(({ name }) => name)]
  if (wanted.length > 0) return sightsOf(wanted.toSorted(), own, context)
  const { knownAgents } = await import('@skills/distributions/internal')
  return sightsOf(knownAgents, own, context)
}

/**
 * Returns true if some agent finds each skill, and each agent does that is wanted. An agent that is used here and cannot
 * read a skill is not wanted, because no one named it.
 */
export function isSeen({ agents, unwired }: Pick<Plan, 'agents' | 'unwired'>, sights: readonly Sight[]): boolean {
  const isWhole = ({ misses }: Sight): boolean => misses.length === 0
  const isWanted = ({ agent }: Sight): boolean =>
    Object.hasOwn(agents, agent) || unwired.some(({ name, error }) => name === agent && error.code === 'E_WRITE')
  return sights.filter(isWanted).every(isWhole) && (sights.length === 0 || sights.some(isWhole))
}
