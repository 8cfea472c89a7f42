import { readLock, type Lock } from './lock.js'
import { differencesOf, unlocked, type Difference } from './differences.js'
import type { InstallContext } from './context.js'

type VerifyContext = Pick<InstallContext, 'place' | 'host' | 'signal'>

/**
 * Compares `skills.json`, the lock and the disk, without changing anything. Reads every file and compares its SHA-256.
 * Then runs the distribution of each agent of the lock, and names the skills that the agent does not find.
 * @throws SkillsError `E_INSTALL_LOCK`
 */
export async function verify(context: VerifyContext): Promise<readonly Difference[]> {
  const { place } = context
  const lock = readLock(place.lock, place.home)
  const differences = [
    ...unlocked(place, lock),
    ...Object.entries(lock).flatMap(([name, locked]) => differencesOf(place, name, locked)),
  ]
  const wrong = new Set(differences.map(({ skill }) => skill))
  // A skill with wrong files is put right first.
  const sound = Object.fromEntries(Object.entries(lock).filter(([name]) => !wrong.has(name)))
  return [...differences, ...(await unseenIn(sound, context))]
}

/** Returns a difference for each skill that an agent of the lock does not find. */
export async function unseenIn(lock: Lock, context: VerifyContext): Promise<readonly Difference[]> {
  const byAgent = new Map<string, [name: string, locked: Lock[string]][]>()
  for (const [name, locked] of Object.entries(lock))
    for (const agent of Object.keys(locked.agents)) byAgent.set(agent, [...(byAgent.get(agent) ?? []), [name, locked]])
  if (byAgent.size === 0) return []
  const { sightsOf } = await import('./sights.js')
  const found: Difference[] = []
  for (const [agent, skills] of byAgent)
    for (const { misses } of await sightsOf([agent], Object.fromEntries(skills), context))
      for (const { name, because } of misses)
        found.push({ skill: name, kind: 'unseen', path: name, message: `${agent} does not find ${name}: ${because}` })
  return found
}
