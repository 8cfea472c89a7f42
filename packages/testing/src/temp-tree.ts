import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * What stands at a path: a file's content; a link and where it leads, as `ln -s` takes it; an empty folder. A `mode` is
 * set as given, under any umask, and a folder's only once everything below it is written.
 */
export type TempTreeEntry =
  | string
  | Uint8Array
  | { readonly content: string | Uint8Array; readonly mode?: number }
  | { readonly link: string }
  | { readonly dir: true; readonly mode?: number }

/** Entries by path relative to the tree, forward slashes. Missing parents are made. */
export type TreeEntries = Readonly<Record<string, TempTreeEntry>>

export interface TempTree {
  /** The folder: absolute, links resolved, forward slashes. */
  readonly path: string
  /** Adds entries, over those that are there. */
  write(entries: TreeEntries): void
  /** Removes entries, a folder with all that it holds. One that is not there is no error. */
  remove(...relativePaths: string[]): void
  /** Removes everything, also what its mode protects. Idempotent. */
  dispose(): void
}

export interface TempTreeOptions {
  /** Folder that it is made in, absolute. Default: the system's temporary one. */
  readonly under?: string
}

/**
 * Makes a real folder in the system's temporary one. The caller calls `dispose()` when done.
 *
 *     const tree = tempTree({ 'greet/SKILL.md': '---\nname: greet\n---\nSay hello.', 'again': { link: 'greet' } })
 */
export function tempTree(entries: TreeEntries = {}, { under = tmpdir() }: TempTreeOptions = {}): TempTree {
  const root = realpathSync(mkdtempSync(path.join(under, 'skills-')))
  const tree: TempTree = {
    path: root.replaceAll('\\', '/'),
    write(added) {
      const modes: [target: string, mode: number][] = []
      for (const [relative, entry] of Object.entries(added)) {
        const target = inside(root, relative)
        mkdirSync(path.dirname(target), { recursive: true })
        const mode = put(target, entry)
        if (mode !== undefined) modes.push([target, mode])
      }
      // The deepest first: a folder that may not be entered any more comes after what it holds.
      for (const [target, mode] of modes.sort(([a], [b]) => b.length - a.length)) chmodSync(target, mode)
    },
    remove(...relativePaths) {
      for (const relative of relativePaths) removeAll(inside(root, relative))
    },
    dispose: () => removeAll(root),
  }
  try {
    tree.write(entries)
  } catch (error) {
    tree.dispose()
    throw error
  }
  return tree
}

/** Writes one entry; gives the mode it is to have in the end. */
function put(target: string, entry: TempTreeEntry): number | undefined {
  if (typeof entry === 'string' || entry instanceof Uint8Array) writeFileSync(target, entry)
  else if ('link' in entry) {
    rmSync(target, { force: true })
    symlinkSync(entry.link, target)
  } else {
    if ('dir' in entry) mkdirSync(target, { recursive: true })
    else writeFileSync(target, entry.content)
    return entry.mode
  }
  return undefined
}

function inside(root: string, relative: string): string {
  const target = path.resolve(root, relative)
  if (!path.isAbsolute(relative) && target.startsWith(root + path.sep)) return target
  throw new RangeError(`"${relative}" is not inside the temporary tree.`)
}

function removeAll(target: string): void {
  openFolders(target)
  rmSync(target, { recursive: true, force: true })
}

/** Gives every folder below `target` the rights that removing it takes. */
function openFolders(target: string): void {
  if (lstatSync(target, { throwIfNoEntry: false })?.isDirectory() !== true) return
  chmodSync(target, 0o700)
  for (const child of readdirSync(target)) openFolders(path.join(target, child))
}
