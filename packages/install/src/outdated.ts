import { planUpdate } from './plan.js'
import { divided } from './exact-source.js'
import { readLock } from './lock.js'
import type { Resolved } from './resolution.js'
import { remoteCommit } from './git.js'
import { wantedSource, type InstallContext } from './context.js'
import type { PlannedSkill } from './plan.js'

export interface OutdatedSkill {
  readonly name: string
  readonly source: string
  readonly locked: Resolved
  readonly now: Resolved
  readonly files: PlannedSkill['files']
}

/** Returns the skills whose source has other files than the lock. Does not fetch a branch that has not moved. */
export async function outdated(context: InstallContext): Promise<readonly OutdatedSkill[]> {
  const lock = readLock(context.place.lock, context.place.home)
  const commits = new Map<string, Promise<string>>()
  const names: string[] = []
  for (const [name, { source, resolved }] of Object.entries(lock)) {
    const parsed = wantedSource(source, context)
    if (parsed.type === 'git' && resolved.type === 'git') {
      const asked = commits.get(source) ?? divided(parsed, context).then(async exact => remoteCommit(exact, context))
      commits.set(source, asked)
      if ((await asked) === resolved.commit) continue
    }
    names.push(name)
  }
  if (names.length === 0) return []
  const plan = await planUpdate(names, context)
  plan.discard()
  // A skill that its source has now in a form that cannot be installed is not up to date, and there is nothing to compare.
  const [refused] = plan.refused
  if (refused !== undefined) throw refused.error
  return plan.skills.flatMap(({ name, locked: next, before, files }) =>
    before === undefined ? [] : [{ name, source: next.source, locked: before.resolved, now: next.resolved, files }],
  )
}
