import { readdirSync, type Dirent } from 'node:fs'
import { setImmediate as turn } from 'node:timers/promises'
import { abortError, type Note } from '@skills/core'
import { followLink, systemCode } from '@skills/fs'
import type { Layout } from './layout.js'

/** How a root is walked. */
export interface Walked extends Pick<Layout, 'walk' | 'skipped' | 'depth' | 'nested'> {
  /** Real paths of the folders that no link may lead out of; undefined where links may lead anywhere. */
  readonly within: readonly string[] | undefined
}

/** Folders that are looked at: a search for one name need not go through a whole disk. */
const mostFolders = 20_000

/** Folders between two turns for the rest of the process. */
const batch = 200

/**
 * Folders of a name with a `SKILL.md` that a walk of this root passes over, each with the reason and what to do: hidden, in `node_modules`, too deep, or in
 * another skill. Links to folders are not followed.
 */
export async function passedOver(root: string, name: string, { walk = 'deep', skipped = ['hidden', 'node_modules'], depth = 6, nested = false, within }: Walked, signal: AbortSignal): Promise<readonly Note[]> {
  const notes: Note[] = []
  const pending: { readonly path: string; readonly level: number; readonly because: string | undefined }[] = [{ path: root, level: 0, because: undefined }]
  for (let at = 0; at < Math.min(pending.length, mostFolders); at++) {
    const { path, level, because } = pending[at] ?? { path: root, level: 0, because: undefined }
    if (at % batch === batch - 1) await turn()
    if (signal.aborted) throw abortError(signal)
    const entries = entriesOf(path)
    const isSkill = level > 0 && entries.some(one => one.name === 'SKILL.md' && !one.isDirectory())
    const own = path.slice(path.lastIndexOf('/') + 1)
    if (isSkill && because !== undefined && (own === name || own === `.${name}`) && 'realPath' in followLink(`${path}/SKILL.md`, within)) {
      notes.push({ path, text: `${path} has a SKILL.md, but ${because}` })
    }
    const inSkill = isSkill && !nested ? `it lies in the skill ${path}, and what lies in a skill belongs to that: move it beside that one.` : undefined
    for (const child of entries.filter(one => one.isDirectory()).map(one => one.name).sort()) {
      pending.push({ path: `${path}/${child}`, level: level + 1, because: because ?? inSkill ?? reasonFor(child, level + 1) })
    }
  }
  return notes

  function reasonFor(child: string, level: number): string | undefined {
    if ((child.startsWith('.') && skipped.includes('hidden')) || (child === 'node_modules' && skipped.includes('node_modules'))) return 'hidden folders and node_modules are not searched.'
    if (walk === 'flat' && level > 1) return `only the folders in ${root} itself are skills, and none further down.`
    return level > depth ? `it lies more than ${depth} levels below ${root}, where nothing is searched: move it up.` : undefined
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    // That a folder cannot be looked into is said where it is loaded.
    if (systemCode(error) === undefined) throw error
    return []
  }
}
