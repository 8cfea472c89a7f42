import { checkOptions } from '@skills/core'
import { agentTargets } from './agents.js'
import { fileSteps, refuseTaken } from './apply-plan.js'
import { ci, type CiResult } from './ci.js'
import { commit, recover, type Step } from './transaction.js'
import { readLock, readManifest } from './lock.js'
import { spotsOf } from './verify.js'
import type { InstallContext } from './context.js'

export interface SyncOptions {
  /** Agents that are to get each skill, besides those of `skills.json`; they are remembered there. Default: none. */
  readonly agents?: readonly string[]
  /** Whether what is not in the lock is replaced. Default false. */
  readonly replace?: boolean
}

/**
 * Sees that every agent of `skills.json` gets every skill: links and copies that drifted are made anew, those of agents
 * that are not wanted any more are removed, and then everything is put in order as by {@link ci}.
 * @throws InstallError `E_INSTALL_TAKEN`, `E_INSTALL_LOCK`; SkillsError `E_INVALID_OPTION` for an unknown agent
 */
export async function sync(options: SyncOptions, context: InstallContext): Promise<CiResult> {
  checkOptions<SyncOptions>('sync()', options, { agents: 1, replace: 1 })
  const { agents: more = [], replace = false } = options
  const { place } = context
  await recover(context)
  const agents = [...new Set([...readManifest(place.manifest).agents, ...more])].toSorted()
  const targets = await agentTargets(agents, context)
  await commit(context, () => {
    const [lock, manifest] = [readLock(place.lock, place.home), readManifest(place.manifest)]
    const next = Object.fromEntries(
      Object.entries(lock).map(([name, locked]) => [name, { ...locked, agents: targets }]),
    )
    const steps = Object.entries(lock).flatMap(([name, before]): readonly Step[] => {
      const locked = { ...before, agents: targets }
      if (!replace) refuseTaken(place, name, lock, locked, ['missing', 'link'])
      const gets = spotsOf(place, name, locked).map(({ path }) => path)
      const left = spotsOf(place, name, before).filter(({ path }) => !gets.includes(path))
      return left.map(({ path }) => ({ do: 'remove', path }))
    })
    const isSame = JSON.stringify([next, agents]) === JSON.stringify([lock, manifest.agents])
    return { steps: isSame ? [] : [...steps, ...fileSteps(place, { ...manifest, agents }, next)] }
  })
  return ci({}, context)
}
