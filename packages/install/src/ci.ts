import * as s from '@skills/core/schema'
import { SkillsError } from '@skills/core'
import { foldersOf, itemsOf, refuseForeign, refuseUnagreed } from './agreement.js'
import { wantedSource, type InstallContext } from './context.js'
import { isRefused } from './error.js'
import { readRecord } from './place-record.js'
import { stageSkill } from './stage.js'
import { differencesOf, unlocked, type Difference } from './differences.js'
import { unseenIn } from './verify.js'
import { commit, makeStaging, recover, type Step } from './transaction.js'
import { openSource, type OpenedSource } from './open-source.js'
import { readLock, readManifest, textAt, type LockedSkill } from './lock.js'
import { readIntoCache } from './read-into-cache.js'

export interface CiResult {
  /** Skills that were repaired. */
  readonly repaired: readonly string[]
  /** Differences that could not be repaired, with the reason. */
  readonly differences: readonly Difference[]
}

const ciOptions = s.options('ci()', {
  /** True if no source is contacted. Default: false. */
  offline: s.flag().default(false),
  /** Digest from {@link agreementFor} that a person agreed to. Not needed for a lock that was agreed to before. */
  agreed: s.text(),
  /**
   * True if something in the place of a skill is replaced that was not put there by us, or was changed by hand. Default:
   * false.
   */
  replace: s.flag().default(false),
  /** Called before files that were changed by hand are replaced. Without it, or if it returns false, nothing is changed. */
  discards: s.fn<(edits: readonly Difference[]) => Promise<boolean>>(),
})

export interface CiOptions extends s.OptionsOf<typeof ciOptions> {}

/** Returns true if replacing the file would lose what a person wrote. */
function isEdit({ kind }: Difference): boolean {
  return kind === 'changed' || kind === 'added'
}

type Entry = readonly [name: string, locked: LockedSkill]

/**
 * Makes the folders match the lock exactly. Files come from the cache, and files that it lacks from the pinned sources.
 * Changes nothing if a skill cannot be obtained, or if the lock does not match `skills.json`.
 * @throws SkillsError `E_INSTALL_LOCK`, `E_INSTALL_CONSENT`, `E_INSTALL_TAKEN`
 */
export async function ci(given: CiOptions, context: InstallContext): Promise<CiResult> {
  const options = ciOptions.read(given)
  const { offline, agreed, replace, discards } = options
  const { place, host, signal, cache, onProgress, idleMs } = context
  await recover(context)
  const textsNow = (): string => JSON.stringify([textAt(place.lock), textAt(place.manifest)])
  const texts = textsNow()
  const lock = readLock(place.lock, place.home)
  const unwanted = unlocked(place, lock)
  if (unwanted.length > 0) return { repaired: [], differences: unwanted }
  const wrong = Object.entries(lock).filter(([name, locked]) => differencesOf(place, name, locked).length > 0)
  if (wrong.length === 0) return { repaired: [], differences: await unseenIn(lock, context) }
  await refuseUnagreed(agreed, lock, context)
  const folders = await foldersOf(lock, [], context)
  const record = readRecord(place, host)
  if (!replace) for (const [name, locked] of wrong) refuseForeign(name, locked, { place, record })
  const edits = wrong.flatMap(([name, locked]) => differencesOf(place, name, locked)).filter(isEdit)
  const [edit] = edits
  if (!replace && edit !== undefined && (await discards?.(edits)) !== true)
    throw new SkillsError(
      'E_INSTALL_TAKEN',
      `Installed files were changed by hand (${edit.message}${edits.length > 1 ? `, and ${edits.length - 1} more` : ''}), so nothing is changed.`,
      { hint: 'Copy your changes to another place, or discard them with --force.' },
    )
  const differences = await fillCache()
  if (differences.length > 0) return { repaired: [], differences }
  const staging = makeStaging(place)
  try {
    const steps: Step[] = []
    for (const [at, [name, locked]] of wrong.entries()) {
      onProgress?.({ what: 'Installing skills from the lock', done: at, total: wrong.length, unit: 'skills' })
      steps.push(...(await stageSkill(staging, name, locked, context)))
    }
    const { isCurrent } = await commit({ ...context, folders }, () => {
      const isSame = textsNow() === texts
      return isSame
        ? { isCurrent: true, steps, agreed: itemsOf(readManifest(place.manifest), lock) }
        : { isCurrent: false, steps: [] }
    })
    // Another process has changed the lock meanwhile.
    return isCurrent
      ? { repaired: wrong.map(([name]) => name), differences: await unseenIn(lock, context) }
      : await ci(options, context)
  } finally {
    onProgress?.()
    staging.remove()
  }

  /** Fills the cache, and opens each source once for missing files. Returns the skills that cannot be obtained. */
  async function fillCache(): Promise<readonly Difference[]> {
    const missing: Difference[] = []
    const say = (skill: string, message: string): void =>
      void missing.push({ skill, kind: 'missing', path: skill, message })
    const bySource = new Map<string, Entry[]>()
    for (const [name, locked] of wrong) {
      const lacking: string[] = []
      for (const [path, entry] of Object.entries(locked.files))
        if ((await cache.get(entry.slice(0, 64))) === undefined) lacking.push(path)
      if (lacking.length === 0) continue
      const key = JSON.stringify([locked.source, locked.resolved])
      if (offline)
        say(
          name,
          `the cache lacks ${lacking.length} ${lacking.length === 1 ? 'file' : 'files'} of ${name}, such as ${lacking[0] ?? ''}`,
        )
      else
        bySource
          .set(key, bySource.get(key) ?? [])
          .get(key)
          ?.push([name, locked])
    }
    for (const entries of bySource.values()) await readFrom(entries, say)
    return missing
  }

  async function readFrom(entries: readonly Entry[], say: (skill: string, message: string) => void): Promise<void> {
    const left = new Map(entries)
    let opened: OpenedSource | undefined
    try {
      for (const [at, [name, { source, resolved: pinned, path, digest }]] of entries.entries()) {
        opened ??= await openSource(wantedSource(source, context), { host, signal, pinned, onProgress, idleMs })
        onProgress?.({ what: `Reading ${source}`, done: at, total: entries.length, unit: 'skills' })
        if ((await readIntoCache(opened, path, context)).digest !== digest)
          say(name, `${name} of ${source} differs from the lock`)
        left.delete(name)
      }
    } catch (error) {
      if (!isRefused(error)) throw error
      for (const name of left.keys()) say(name, `${name} could not be fetched: ${error.message}`)
    } finally {
      await opened?.close()
    }
  }
}
