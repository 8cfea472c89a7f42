import { setImmediate as turn } from 'node:timers/promises'
import { abortError, type Note } from '@skills/core'
import { systemCode } from '../problem.js'
import { escapeProblem, type Store, type StoreFolder, type StoreStats } from '@skills/store'
import type { Layout } from './layout.js'

/** Rules by which a root is walked. */
export interface Walked extends Pick<Layout, 'walk' | 'skipped' | 'depth' | 'nested'> {
  /** Real paths of folders that no link may lead out of. Undefined: links may lead anywhere. */
  readonly within: readonly string[] | undefined
  readonly store: Store
}

/** Most folders that a search for one name looks at; it need not go through a whole disk. */
const mostFolders = 20_000

/** Folders after which the rest of the process gets a turn. */
const batch = 200

/**
 * Returns notes about folders that have the searched name and a `SKILL.md`, but that a walk of this root leaves out.
 * Each note has the reason and what to do: the folder is hidden, in `node_modules`, too deep, or in another skill. Does
 * not follow links to folders.
 */
export async function passedOver(
  root: string,
  name: string,
  walked: Walked,
  signal: AbortSignal,
): Promise<readonly Note[]> {
  const { walk = 'deep', skipped = ['hidden', 'node_modules'], depth = 6, nested = false, store } = walked
  const notes: Note[] = []
  const pending: { readonly path: string; readonly level: number; readonly because: string | undefined }[] = [
    { path: root, level: 0, because: undefined },
  ]
  for (let at = 0; at < Math.min(pending.length, mostFolders); at++) {
    const { path, level, because } = pending[at] ?? { path: root, level: 0, because: undefined }
    if (at % batch === batch - 1) await turn()
    if (signal.aborted) throw abortError(signal)
    const entries = await entriesOf(store, path, signal)
    const isSkill = level > 0 && [...(entries?.files ?? []), ...(entries?.links ?? [])].includes('SKILL.md')
    const own = path.slice(path.lastIndexOf('/') + 1)
    if (
      isSkill &&
      because !== undefined &&
      (own === name || own === `.${name}`) &&
      (await reachedIn(walked, `${path}/SKILL.md`, signal)) !== undefined
    ) {
      notes.push({ path, text: `${path} has a SKILL.md, but ${because}` })
    }
    const inSkill =
      isSkill && !nested
        ? `that folder is inside the skill ${path}, so it belongs to that skill: move the folder out of that skill.`
        : undefined
    for (const child of [...(entries?.folders ?? [])].sort()) {
      pending.push({
        path: `${path}/${child}`,
        level: level + 1,
        because: because ?? inSkill ?? reasonFor(child, level + 1),
      })
    }
  }
  return notes

  function reasonFor(child: string, level: number): string | undefined {
    if (
      (child.startsWith('.') && skipped.includes('hidden')) ||
      (child === 'node_modules' && skipped.includes('node_modules'))
    )
      return 'hidden folders and node_modules are not searched.'
    if (walk === 'flat' && level > 1) return `only folders directly in ${root} are skills.`
    return level > depth
      ? `the folder is more than ${depth} levels below ${root}, where nothing is searched: move the folder up.`
      : undefined
  }
}

async function entriesOf(store: Store, folder: string, signal: AbortSignal): Promise<StoreFolder | undefined> {
  try {
    return await store.list(folder, { signal })
  } catch (error) {
    // Loading the root reports a folder that cannot be read.
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}

/** Returns the kind of a path's target. Returns undefined if it lies outside the folders that links may lead into. */
export async function reachedIn(
  { store, within }: Pick<Walked, 'store' | 'within'>,
  path: string,
  signal: AbortSignal,
): Promise<StoreStats['kind'] | undefined> {
  try {
    const realPath = store.realPath === undefined ? path : await store.realPath(path, { signal })
    const stats = realPath === undefined ? undefined : await store.stat(realPath, { signal })
    const isOutside =
      realPath !== undefined && escapeProblem(path, realPath, within, () => stats?.kind === 'folder') !== undefined
    return isOutside ? undefined : stats?.kind
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}
