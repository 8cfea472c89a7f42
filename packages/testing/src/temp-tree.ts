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
 * Entry of a tree: the content of a file; a link with its target, as `ln -s` takes it; or an empty folder. `mode` is
 * set exactly, regardless of the umask. The mode of a folder is set after everything below it is written.
 */
export type TempTreeEntry =
  | string
  | Uint8Array
  | { readonly content: string | Uint8Array; readonly mode?: number }
  | { readonly link: string }
  | { readonly dir: true; readonly mode?: number }

/** Entries by path relative to the tree, with forward slashes. Missing parent folders are made. */
export type TreeEntries = Readonly<Record<string, TempTreeEntry>>

export interface TempTree {
  /** Path of the folder: absolute, links resolved, forward slashes. */
  readonly path: string
  /** Adds entries and overwrites existing ones. */
  write(entries: TreeEntries): void
  /** Removes entries, and folders with their contents. Paths that do not exist are ignored. */
  remove(...relativePaths: string[]): void
  /** Removes the whole tree, even where modes forbid it. Idempotent. */
  dispose(): void
}

export interface TempTreeOptions {
  /** Absolute path of the folder in which the tree is made. Default: the system's temporary folder. */
  readonly under?: string
}

/**
 * Makes a real folder with these entries in the system's temporary folder. The caller calls `dispose()` when done.
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
      // Deepest first: once a folder's mode forbids entering it, the modes below can no longer be set.
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

/** Writes one entry and returns the mode that it has to have at the end. */
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

/** Makes every folder from `target` down writable, so that it can be removed. */
function openFolders(target: string): void {
  if (lstatSync(target, { throwIfNoEntry: false })?.isDirectory() !== true) return
  chmodSync(target, 0o700)
  for (const child of readdirSync(target)) openFolders(path.join(target, child))
}
