import { planUpdate } from './plan.js'
import { isRefused } from './error.js'
import { divided } from './exact-source.js'
import { readLock } from './lock.js'
import type { Resolved } from './resolution.js'
import { remoteCommit } from './git.js'
import { wantedSource, type InstallContext } from './context.js'
import type { PlannedSkill, RefusedSkill } from './plan.js'

export interface OutdatedSkill {
  readonly name: string
  readonly source: string
  readonly locked: Resolved
  readonly now: Resolved
  readonly files: PlannedSkill['files']
  /** Powers that the present version has and the installed one does not have. */
  readonly gained: PlannedSkill['difference']['gained']
}

/** Skills whose source has changed, and those of which that cannot be found out. */
export interface Outdated {
  readonly skills: readonly OutdatedSkill[]
  /** Skills whose source cannot be read, or has them in a form that cannot be installed. */
  readonly refused: readonly RefusedSkill[]
}

/**
 * Returns the skills whose source has other files than the lock. Does not fetch a branch that has not moved. A source that
 * cannot be read stops no other one.
 */
export async function outdated(context: InstallContext): Promise<Outdated> {
  const lock = readLock(context.place.lock, context.place.home)
  const commits = new Map<string, Promise<string>>()
  const names: string[] = []
  const refused: RefusedSkill[] = []
  for (const [name, { source, resolved, path }] of Object.entries(lock)) {
    const parsed = wantedSource(source, context)
    if (parsed.type === 'git' && resolved.type === 'git') {
      const asked = commits.get(source) ?? divided(parsed, context).then(async exact => remoteCommit(exact, context))
      commits.set(source, asked)
      try {
        if ((await asked) === resolved.commit) continue
      } catch (error) {
        if (!isRefused(error)) throw error
        refused.push({ name, path, error })
        continue
      }
    }
    names.push(name)
  }
  if (names.length === 0) return { skills: [], refused }
  const plan = await planUpdate(names, context)
  plan.discard()
  const skills = plan.skills.flatMap(({ name, locked: next, before, files, difference: { gained } }) =>
    before === undefined
      ? []
      : [{ name, source: next.source, locked: before.resolved, now: next.resolved, files, gained }],
  )
  return { skills, refused: [...refused, ...plan.refused] }
}
