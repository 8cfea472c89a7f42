import { closeSync, constants, fstatSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { checkRights, type Owner } from './private-folder.js'
import { refused, stateError, systemCode } from './state-error.js'

/** Bytes. What is remembered is small; something larger is not ours. */
export const mostBytes = 16 * 1024 * 1024

export interface FoundBytes {
  readonly bytes: Buffer
  /** Whether the file has more bytes than it may, none of which were read. */
  readonly isTooLarge: boolean
}

/**
 * Reads a file of the user's own; undefined when there is none. Throws `E_STATE` when it belongs to another user, is
 * open to others, is a link or is no regular file.
 * @param most bytes that it may have
 */
export function readPrivateFile(path: string, owner: Owner, most = mostBytes): FoundBytes | undefined {
  // Windows knows neither flag, and there they count for nothing.
  const descriptor = open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  if (descriptor === undefined) return undefined
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) throw stateError(`${path} is not a file, so nothing can be read from it.`, 'Remove it.')
    checkRights(path, stats, owner, '600')
    return stats.size > most
      ? { bytes: Buffer.alloc(0), isTooLarge: true }
      : { bytes: readFileSync(descriptor), isTooLarge: false }
  } catch (error) {
    throw refused(`The file ${path} could not be read`, error)
  } finally {
    closeSync(descriptor)
  }
}

function open(path: string, flags: number): number | undefined {
  try {
    return openSync(path, flags)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw refused(`The file ${path} could not be read`, error)
  }
}

/** Writes a new file, by default for the user alone, down to the disk. Throws system errors; what was begun is left. */
export function writePrivateFile(path: string, text: string | Uint8Array, mode = 0o600): void {
  const descriptor = openSync(path, 'wx', mode)
  try {
    writeFileSync(descriptor, text)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Puts a file in the place of another in one step, so that a reader finds either the old or the new one whole. */
export function moveIntoPlace(from: string, to: string): void {
  renameSync(from, to)
  flushFolder(dirname(to))
}

/** Has the names in a folder on the disk too. Windows does that by itself and cannot open a folder. */
export function flushFolder(path: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(path, constants.O_RDONLY)
  try {
    fsyncSync(descriptor)
  } catch (error) {
    // Some file systems, of networks above all, cannot do it for folders; what was written is in its place all the
    // same.
    const code = systemCode(error)
    if (code !== 'EINVAL' && code !== 'ENOTSUP') throw error
  } finally {
    closeSync(descriptor)
  }
}
