import { rmSync } from 'node:fs'
import { absolutePath, wantedSource, type InstallContext } from './context.js'
import { InstallError } from './error.js'
import { stageSkill } from './stage.js'
import { differencesOf, isLinked, unlocked, type Difference } from './verify.js'
import { commit, makeStaging, recover, type Step } from './transaction.js'
import { openSource, type Resolved } from './open-source.js'
import { readLock, textAt, type LockedSkill } from './lock.js'
import { readSkill } from './skill-files.js'

export interface CiResult {
  /** Skills that were put in order. */
  readonly repaired: readonly string[]
  /** What could not be, and why. */
  readonly differences: readonly Difference[]
}

/**
 * Makes the folders exactly what the lock says: out of the cache, and what that lacks out of the sources as they are
 * pinned. Nothing is changed where a skill cannot be had, or where the lock is not that of `skills.json`.
 * @param offline whether sources are not asked
 * @throws InstallError `E_INSTALL_LOCK`
 */
export async function ci(
  { offline = false }: { readonly offline?: boolean },
  context: InstallContext,
): Promise<CiResult> {
  const { place, host, signal, cache, onProgress } = context
  await recover(place, host, signal)
  const text = textAt(place.lock)
  const lock = readLock(place.lock)
  const differences: Difference[] = [...unlocked(place, lock)]
  if (differences.length > 0) return { repaired: [], differences }
  const wrong = Object.entries(lock).filter(([name, locked]) => differencesOf(place, name, locked).length > 0)
  if (wrong.length === 0) return { repaired: [], differences: [] }
  const staging = makeStaging(place)
  try {
    const steps: Step[] = []
    for (const [at, [name, locked]] of wrong.entries()) {
      onProgress?.(`Putting ${name} in order (${at + 1} of ${wrong.length})`)
      const problem = isLinked(locked) ? undefined : await completed(name, locked)
      if (problem === undefined) steps.push(...(await stageSkill(staging, name, locked, context)))
      else differences.push({ skill: name, kind: 'missing', path: name, message: problem })
    }
    if (differences.length > 0) return { repaired: [], differences }
    const { isCurrent } = await commit(place, host, signal, () => {
      const isSame = textAt(place.lock) === text
      return { isCurrent: isSame, steps: isSame ? steps : [] }
    })
    // Another process has changed the lock meanwhile.
    return isCurrent ? { repaired: wrong.map(([name]) => name), differences } : await ci({ offline }, context)
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }

  /** Sees that the cache has all of a skill; gives why it does not. */
  async function completed(name: string, locked: LockedSkill): Promise<string | undefined> {
    const lacking: string[] = []
    for (const [path, entry] of Object.entries(locked.files))
      if ((await cache.get(entry.slice(0, 64))) === undefined) lacking.push(path)
    if (lacking.length === 0) return undefined
    if (offline) return `the cache lacks ${lacking.length} files of ${name}, such as ${lacking[0] ?? ''}`
    const opened = await openSource(wantedSource(locked.source, context), {
      host,
      signal,
      pinned: absoluteOf(locked.resolved),
      onProgress,
    }).catch((error: unknown) => {
      if (InstallError.is(error)) return error
      throw error
    })
    if (opened instanceof Error) return `${name} cannot be had: ${opened.message}`
    try {
      const folder = locked.path === '' ? opened.root : `${opened.root}/${locked.path}`
      const { digest } = await readSkill(opened.store, folder, {
        limits: context.limits,
        skips: locked.path === '' ? opened.skips : [],
        signal,
        keep: bytes => cache.put(bytes),
      })
      return digest === locked.digest ? undefined : `${locked.source} has another ${name} than the lock says`
    } catch (error) {
      if (InstallError.is(error)) return `${name} cannot be had: ${error.message}`
      throw error
    } finally {
      await opened.close()
    }
  }

  function absoluteOf(resolved: Resolved): Resolved {
    return resolved.type === 'folder' ? { ...resolved, path: absolutePath(resolved.path, place) } : resolved
  }
}
