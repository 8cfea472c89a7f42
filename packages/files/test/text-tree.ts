import { chmodSync } from 'node:fs'
import { LocalStore, SkillTree, type SharedReads, type SkillTreeOptions } from '@skills/files'
import type { FoundFile, LocalStoreOptions, SkillTreeState } from '@skills/files/internal'
import type { StoreContent } from '@skills/store'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { onTestFinished } from 'vitest'

/** Item that the tests make of a skill file: its place and its text. */
export interface Seen {
  /** Folder relative to the root, such as `group/deploy`. */
  readonly relative: string
  readonly path: string
  readonly text: string
}

export interface TextTree {
  readonly tree: SkillTree<Seen>
  /** Paths of the files that were read, relative to the root, in the order of reading. */
  readonly reads: string[]
  scan(signal?: AbortSignal): Promise<SkillTreeState<Seen>>
  rescan(paths?: readonly string[], signal?: AbortSignal): Promise<SkillTreeState<Seen> | undefined>
}

export interface TextTreeOptions extends Partial<Omit<SkillTreeOptions<Seen>, 'read' | 'root'>> {
  /** Called while a file is open, before it counts as read. */
  readonly onRead?: (file: FoundFile, head: StoreContent) => void
  readonly reads?: LocalStoreOptions['reads']
  readonly sharedReads?: SharedReads | undefined
}

/** Makes a temporary tree that other users may enter. The end of the test removes it. */
export function temporary(entries: TreeEntries = {}): TempTree {
  const tree = tempTree(entries)
  chmodSync(tree.path, 0o755)
  onTestFinished(() => tree.dispose())
  return tree
}

/** Returns a time at which every existing file counts as settled. */
export function later(): number {
  return Date.now() + 60_000
}

/** Makes a tree over `root` whose items are the whole texts of its files. */
export function textTree(
  root: string,
  { onRead, reads: way, sharedReads, ...options }: TextTreeOptions = {},
): TextTree {
  const reads: string[] = []
  const disk = new LocalStore({ reads: way })
  const tree = new SkillTree<Seen>({
    walk: 'deep',
    now: later,
    store: sharedReads?.over(disk) ?? disk,
    ...options,
    root,
    read(file, head) {
      if (!head.isWhole) return undefined
      onRead?.(file, head)
      reads.push(file.path.slice(root.length + 1))
      return {
        relative: file.folder.slice(root.length + 1),
        path: file.path,
        text: head.bytes.toString('utf8', 0, head.length),
      }
    },
    isSame: (a, b) => a.text === b.text && a.path === b.path,
  })
  const never = new AbortController().signal
  return {
    tree,
    reads,
    scan: (signal = never) => tree.scan(signal),
    rescan: (paths, signal = never) => tree.rescan(paths, signal),
  }
}

/** Returns the folders that have a skill, relative to the root. */
export function foundIn(state: SkillTreeState<Seen> | undefined): readonly string[] | undefined {
  return state?.items.map(item => item.relative)
}

/** Formats problems as `severity code path`, with paths relative to the root. */
export function problemsIn(state: SkillTreeState<Seen> | undefined, root: string): readonly string[] | undefined {
  return state?.problems.map(({ severity, code, path }) => `${severity} ${code} ${path?.replace(`${root}/`, '') ?? ''}`)
}
