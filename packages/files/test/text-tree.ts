import { chmodSync } from 'node:fs'
import { LocalStore, SkillTree, type SharedReads, type SkillTreeOptions } from '@skills/files'
import type { FoundFile, LocalStoreOptions, SkillTreeState } from '@skills/files/internal'
import type { StoreContent } from '@skills/store'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { onTestFinished } from 'vitest'

/** What the tests make of a skill file: where it is, and its text. */
export interface Seen {
  /** The folder below the root, as `group/deploy`. */
  readonly relative: string
  readonly path: string
  readonly text: string
}

export interface TextTree {
  readonly tree: SkillTree<Seen>
  /** Files that were read, below the root, in the order of reading. */
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

/** A temporary tree that other users may enter and that the end of the test removes. */
export function temporary(entries: TreeEntries = {}): TempTree {
  const tree = tempTree(entries)
  chmodSync(tree.path, 0o755)
  onTestFinished(() => tree.dispose())
  return tree
}

/** A moment at which every file that is there has long been as it is. */
export function later(): number {
  return Date.now() + 60_000
}

/** A tree over `root` whose items are the whole texts of its files. */
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

/** The folders that have a skill, below the root. */
export function foundIn(state: SkillTreeState<Seen> | undefined): readonly string[] | undefined {
  return state?.items.map(item => item.relative)
}

/** `severity code path` of every problem, the path from the root on. */
export function problemsIn(state: SkillTreeState<Seen> | undefined, root: string): readonly string[] | undefined {
  return state?.problems.map(({ severity, code, path }) => `${severity} ${code} ${path?.replace(`${root}/`, '') ?? ''}`)
}
