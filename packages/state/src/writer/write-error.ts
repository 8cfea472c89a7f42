import { writeSync } from 'node:fs'
import { SkillsError } from '@skills/core'
import { isTemporaryName } from '../temporary.js'
import { isNoRoom, noRoom, systemCode } from '../state-error.js'

/**
 * Makes an `E_WRITE` error.
 * @param message sentence with the file that is not written and the reason
 * @param hint sentence that says what to do
 */
export function notWritten(message: string, hint: string): SkillsError {
  return new SkillsError('E_WRITE', message, { hint })
}

/**
 * Turns the error of a full disk into `E_WRITE` with the path. Returns any other error unchanged.
 * @param path file or folder that was to be written, absolute
 */
export function withoutRoom(path: string, error: unknown): unknown {
  if (!isNoRoom(systemCode(error))) return error
  const [because, hint] = noRoom
  // A person knows the folder, not the temporary name in it.
  const names = path.split('/')
  const at = names.findIndex(isTemporaryName)
  const known = at < 0 ? path : names.slice(0, at).join('/') || '.'
  return new SkillsError('E_WRITE', `${known} could not be written: ${because}.`, { hint, cause: error })
}

/**
 * Writes all bytes: the system may take a part of them and then have no room for the rest.
 * @param descriptor of a file that is open for writing
 * @param path of that file, absolute
 * @throws SkillsError `E_WRITE` if the disk is full
 */
export function writeAll(descriptor: number, bytes: Uint8Array, path: string): void {
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done)
  } catch (error) {
    throw withoutRoom(path, error)
  }
}
