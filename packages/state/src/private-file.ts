import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
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
  const descriptor = open(path)
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

function open(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw refused(`The file ${path} could not be read`, error)
  }
}
