import { lstatSync } from 'node:fs'
import { checkOptions } from '@skills/core'
import { agentTargets } from './agents.js'
import { ci, type CiResult } from './ci.js'
import { fileSteps } from './apply-plan.js'
import { InstallError } from './error.js'
import { commit, recover, type Step } from './transaction.js'
import { agentFolders, differencesOf } from './verify.js'
import { readLock, readManifest } from './lock.js'
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
  const { place, host, signal } = context
  await recover(place, host, signal)
  const agents = [...new Set([...readManifest(place.manifest).agents, ...more])].toSorted()
  const targets = await agentTargets(agents, context)
  await commit(place, host, signal, () => {
    const [lock, manifest] = [readLock(place.lock), readManifest(place.manifest)]
    const next = Object.fromEntries(
      Object.entries(lock).map(([name, locked]) => [name, { ...locked, agents: targets }]),
    )
    const steps: Step[] = []
    for (const [name, locked] of Object.entries(next)) {
      const before = lock[name] ?? locked
      const had = agentFolders(place, name, before).map(({ path }) => path)
      const gets = agentFolders(place, name, locked).map(({ path }) => path)
      const taken = gets.find(path => !had.includes(path) && lstatSync(path, { throwIfNoEntry: false }) !== undefined)
      const changed = differencesOf(place, name, before).find(({ kind }) => kind === 'changed' || kind === 'added')
      if (!replace && (taken !== undefined || changed !== undefined))
        throw new InstallError(
          'E_INSTALL_TAKEN',
          `${taken === undefined ? (changed?.message ?? '') : `${taken} is there already, and`} is not in the lock, so nothing is changed.`,
          'Move it away, or replace it: --force.',
        )
      for (const path of had) if (!gets.includes(path)) steps.push({ do: 'remove', path })
    }
    const isSame = JSON.stringify([next, agents]) === JSON.stringify([lock, manifest.agents])
    return { steps: isSame ? [] : [...steps, ...fileSteps({ ...manifest, agents }, next, { place })] }
  })
  return ci({}, context)
}
