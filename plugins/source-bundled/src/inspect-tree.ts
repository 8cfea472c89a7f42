import { constants, type Stats } from 'node:fs'
import { lstat, open, readdir } from 'node:fs/promises'
import { systemCode } from '@skills/files/internal'
import { fingerprintOf } from './fingerprint.js'
import { foldersOf } from './write-tree.js'
import type { FileEntry } from './file-entries.js'
import type { Owner } from '@skills/state/internal'

export interface ExpectedTree {
  readonly entries: readonly FileEntry[]
  readonly fingerprint: string
  readonly owner: Owner
}

/** State that was found at the place of an extracted folder. */
export type Found =
  | 'nothing'
  | 'whole'
  /**
   * Reason not to trust it, as the end of a sentence that begins with its path. `ino` and `dev` identify the checked
   * folder.
   */
  | { readonly fault: string; readonly ino: number; readonly dev: number }

/** System errors for a path that even its owner may not read, or that is not a file any more when it is opened. */
const unreadable = new Set<unknown>(['EACCES', 'EPERM', 'ELOOP', 'ENXIO', 'ENOTDIR'])

/**
 * Checks an extracted folder as strictly as if any user could have put it there, and reads all its content. Throws
 * system errors.
 */
export async function inspectTree(folder: string, expected: ExpectedTree): Promise<Found> {
  const stats = await lstatOf(folder)
  if (stats === undefined) return 'nothing'
  try {
    const fault = wrongFolder(stats, expected.owner) ?? (await wrongContent(folder, expected))
    return fault === undefined ? 'whole' : { fault, ino: stats.ino, dev: stats.dev }
  } catch (error) {
    const code = systemCode(error)
    // Another process sets it aside now.
    if (code === 'ENOENT') return 'nothing'
    if (unreadable.has(code)) return { fault: `cannot be read (${String(code)})`, ino: stats.ino, dev: stats.dev }
    throw error
  }
}

/** Returns the stats of a path. Undefined if it does not exist. */
export async function lstatOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function wrongFolder(stats: Stats, owner: Owner): string | undefined {
  if (stats.isSymbolicLink()) return 'is a link'
  return stats.isDirectory() ? wrongRights(stats, owner) : 'is not a folder'
}

function wrongRights({ uid, mode }: Stats, owner: Owner): string | undefined {
  if (owner === undefined) return undefined
  if (uid !== owner) return `belongs to the user with the id ${uid}`
  return (mode & 0o077) === 0
    ? undefined
    : `is open to other users (its mode is ${(mode & 0o777).toString(8).padStart(3, '0')})`
}

async function wrongContent(
  folder: string,
  { entries, fingerprint, owner }: ExpectedTree,
): Promise<string | undefined> {
  const sizes = new Map(entries.map(({ path, bytes }) => [path, bytes.byteLength]))
  const folders = new Set(foldersOf(entries))
  const found = new Map<string, Uint8Array>()
  for (const inner of ['', ...folders]) {
    const prefix = inner === '' ? '' : `${inner}/`
    // Without a slash at its end, which would follow a link.
    const at = inner === '' ? folder : `${folder}/${inner}`
    const stats = await lstatOf(at)
    if (stats === undefined) return inner === '' ? 'is gone' : `lacks ${inner}`
    const wrong = wrongFolder(stats, owner)
    if (wrong !== undefined) return inner === '' ? wrong : `holds ${inner}, which ${wrong}`
    for (const name of await readdir(at)) {
      const path = prefix + name
      const size = sizes.get(path)
      if (size === undefined && folders.has(path)) continue
      if (size === undefined) return `holds ${path}, which was not extracted`
      const read = await readSound(`${folder}/${path}`, size, owner)
      if (typeof read === 'string') return `holds ${path}, which ${read}`
      found.set(path, read)
    }
  }
  const lacking = entries.find(({ path }) => !found.has(path))
  if (lacking !== undefined) return `lacks ${lacking.path}`
  // In the order of the expected entries, whose paths are the same as the found ones.
  return fingerprintOf(entries.map(({ path }) => ({ path, bytes: found.get(path) ?? Buffer.alloc(0) }))) === fingerprint
    ? undefined
    : 'holds a file that was changed'
}

/** Returns the bytes of a file, or the reason not to trust it. Opens no link, and waits for no pipe. */
async function readSound(path: string, size: number, owner: Owner): Promise<Uint8Array | string> {
  if ((await lstatOf(path))?.isFile() !== true) return 'is not a file'
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) return 'is not a file'
    if (stats.size !== size) return 'does not have the size that it was extracted with'
    return wrongRights(stats, owner) ?? (await file.readFile())
  } finally {
    await file.close()
  }
}
