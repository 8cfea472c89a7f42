import { closeSync, constants, fstatSync, lstatSync, openSync, promises, readdirSync, readSync, rmSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolders, systemCode } from '@skills/fs'

/** The user whose files alone are believed; undefined where files do not say whose they are, as on Windows. */
export type Owner = number | undefined

/** Bytes. No index of ours has more. */
const mostBytes = 512 * 1024 * 1024
/** Indexes in a folder; the ones that were written longest ago are removed beyond that. */
const mostFiles = 200
/** Milliseconds after which a file that was begun counts as left behind. */
const abandonedMs = 60 * 60 * 1000

/**
 * The bytes of an index, in memory of their own. Undefined when there is none, and when what is there is no file of the user's
 * alone: it may say anything, and nothing needs it.
 */
export function readIndexFile(path: string, owner: Owner): Buffer | undefined {
  // Before the file, since whoever may put files there can put any of the user's there.
  if (!isPrivate(lstatOrNothing(dirname(path)), owner, 'folder')) return undefined
  let descriptor: number | undefined
  try {
    // Windows knows neither flag, and there they count for nothing.
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    const stats = fstatSync(descriptor)
    if (!isPrivate(stats, owner, 'file') || stats.size > mostBytes) return undefined
    const bytes = Buffer.from(new ArrayBuffer(stats.size))
    let length = 0
    for (let count = -1; count !== 0 && length < bytes.length; length += count) count = readSync(descriptor, bytes, length, bytes.length - length, null)
    return length === bytes.length ? bytes : undefined
  } catch (error) {
    // Whatever keeps it from being read, the files it is about can be.
    if (systemCode(error) === undefined) throw error
    return undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** Puts an index in its place in one step, and makes the folder. Throws system errors, and an `Error` for a place that is not the user's alone. */
export async function writeIndexFile(path: string, bytes: Buffer, owner: Owner): Promise<void> {
  const folder = dirname(path)
  makeFolders(folder, 0o700)
  if (!isPrivate(lstatOrNothing(folder), owner, 'folder')) throw new Error(`${folder} is not a folder of your own that is closed to others`)
  const begun = `${path}.${crypto.randomUUID()}.new`
  try {
    const file = await promises.open(begun, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
    } finally {
      await file.close()
    }
    // Not flushed to the disk first: an index that a crash tears is known by its checksum, and is made anew.
    await promises.rename(begun, path)
  } catch (error) {
    await promises.rm(begun, { force: true })
    throw error
  }
  prune(folder)
}

type Kind = 'file' | 'folder'

function isPrivate(stats: Stats | undefined, owner: Owner, kind: Kind): boolean {
  if (stats === undefined || !(kind === 'file' ? stats.isFile() : stats.isDirectory())) return false
  return owner === undefined || (stats.uid === owner && (stats.mode & 0o077) === 0)
}

function lstatOrNothing(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return undefined
  }
}

/** Removes what was left behind, and the oldest of too many: nobody else ever would. */
function prune(folder: string): void {
  const names = readdirSync(folder)
  const begun = names.filter(name => name.endsWith('.new'))
  const indexes = names.filter(name => name.endsWith('.index'))
  const writtenAt = (name: string): number => lstatOrNothing(`${folder}/${name}`)?.mtimeMs ?? 0
  for (const name of begun) if (Date.now() - writtenAt(name) > abandonedMs) rmSync(`${folder}/${name}`, { force: true })
  if (indexes.length <= mostFiles) return
  const byAge = indexes.map(name => ({ name, at: writtenAt(name) })).sort((a, b) => a.at - b.at)
  for (const { name } of byAge.slice(0, indexes.length - mostFiles)) rmSync(`${folder}/${name}`, { force: true })
}
