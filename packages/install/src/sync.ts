import * as s from '@skills/core/schema'
import { SkillsError } from '@skills/core'
import { dirname } from 'node:path'
import { agentFolders, agentTargets } from './agents.js'
import { agentsOf, itemsOf, refuseUnagreed } from './agreement.js'
import { fileSteps, refuseTaken } from './apply-plan.js'
import { ci, type CiResult } from './ci.js'
import { commit, recover, type Step } from './transaction.js'
import { readLock, readManifest, textAt } from './lock.js'
import { readRecord } from './place-record.js'
import { spotsOf } from './differences.js'
import type { InstallContext } from './context.js'

const syncOptions = s.options('sync()', {
  /** Agents that get each skill, besides those of `skills.json`; they are added there. Default: none. */
  agents: s.list(s.text()).default([]),
  /** True if files that are not in the lock are replaced. Default: false. */
  replace: s.flag().default(false),
  /** Digest from `agreementFor` that a person agreed to. Not needed for a lock that was agreed to before. */
  agreed: s.text(),
})

export interface SyncOptions extends s.OptionsOf<typeof syncOptions> {}

/**
 * Gives every skill to every agent of `skills.json`. Makes changed links and copies again, removes links and copies for
 * agents that are no longer wanted, and then repairs everything as {@link ci} does.
 * @throws SkillsError `E_INSTALL_TAKEN`, `E_INSTALL_LOCK`; SkillsError `E_INVALID_OPTION` for an unknown agent
 */
export async function sync(given: SyncOptions, context: InstallContext): Promise<CiResult> {
  const { agents: more, replace, agreed } = syncOptions.read(given)
  const { place } = context
  await recover(context)
  const agents = [...new Set([...readManifest(place.manifest).agents, ...more])].toSorted()
  const targets = await agentTargets(agents, context)
  const looks = await agentFolders([...agentsOf(readLock(place.lock, place.home)), ...agents], context)
  const folders = [...new Set(Object.values(looks).flat())]
  const isPlace = (path: string): boolean =>
    [...folders.map(one => `${place.base}/${one}`), place.folder].includes(dirname(path))
  const isSynced = (): boolean =>
    agents.join() === readManifest(place.manifest).agents.join() &&
    Object.values(readLock(place.lock, place.home)).every(one => JSON.stringify(one.agents) === JSON.stringify(targets))
  const textsNow = (): string => JSON.stringify([textAt(place.lock), textAt(place.manifest)])
  const texts = textsNow()
  if (!isSynced()) await refuseUnagreed(agreed, readLock(place.lock, place.home), context)
  await commit({ ...context, folders }, () => {
    const [lock, manifest] = [readLock(place.lock, place.home), readManifest(place.manifest)]
    const next = Object.fromEntries(
      Object.entries(lock).map(([name, locked]) => [name, { ...locked, agents: targets }]),
    )
    const record = readRecord(place, context.host)
    const steps = Object.entries(lock).flatMap(([name, before]): readonly Step[] => {
      const locked = { ...before, agents: targets }
      if (!replace) refuseTaken({ place, record }, name, lock, locked, ['missing', 'link'])
      const gets = spotsOf(place, name, locked).map(({ path }) => path)
      // A lock that names folders where an agent does not look is not believed about the files there.
      const left = spotsOf(place, name, before).filter(({ path }) => !gets.includes(path) && isPlace(path))
      return left.map(({ path }) => ({ do: 'remove', path }))
    })
    const isSame = JSON.stringify([next, agents]) === JSON.stringify([lock, manifest.agents])
    if (!isSame && textsNow() !== texts)
      throw new SkillsError('E_INSTALL_CONSENT', `${place.lock} was changed while this command ran.`, {
        hint: 'Run the command again, and look at the changes.',
      })
    const after = { manifest: { ...manifest, agents }, lock: next }
    return {
      steps: isSame ? [] : [...steps, ...fileSteps(place, after.manifest, next)],
      agreed: isSame ? [] : itemsOf(after.manifest, next),
    }
  })
  return ci({ replace, agreed }, context)
}
