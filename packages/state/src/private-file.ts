import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { checkRights, type Owner } from './private-folder.js'
import { refused, stateError, systemCode } from './state-error.js'

/** Most bytes of a state file. State is small, so this package never writes a larger file. */
export const mostBytes = 16 * 1024 * 1024

export interface FoundBytes {
  readonly bytes: Buffer
  /** True if the file is larger than allowed; then none of it is read. */
  readonly isTooLarge: boolean
}

/**
 * Reads a file that only the user can read and write. Returns undefined if there is no file. Throws `E_STATE` if it
 * belongs to another user, is open to others, is a link, or is not a regular file.
 * @param most limit in bytes
 */
export function readPrivateFile(path: string, owner: Owner, most = mostBytes): FoundBytes | undefined {
  // Windows knows neither `O_NOFOLLOW` nor `O_NONBLOCK`; there they have no effect.
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
