import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf, SkillsError } from '@skills/core'

/**
 * Makes an `E_STATE` error: state cannot be read or written.
 * @param message sentence that says what is wrong and where
 * @param hint sentence that says what to do
 */
export function stateError(message: string, hint: string, cause?: unknown): SkillsError {
  return new SkillsError('E_STATE', message, { hint, ...(cause !== undefined && { cause }) })
}

/** Returns the code of a failed system call, such as `ENOENT`, or undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

const noRight = ['you do not have permission', 'Change the permissions of this path, or of a folder above it.'] as const
export const noRoom = ['the disk or your quota is full', 'Free some space. The earlier content is unchanged.'] as const
const noFolder = [
  'a part of the path is not a folder',
  'Name another folder, or move the file that is in the way.',
] as const

const sentences: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  EACCES: noRight,
  EPERM: noRight,
  EROFS: ['the file system is read-only', 'Name another folder.'],
  ENOSPC: noRoom,
  EDQUOT: noRoom,
  EFBIG: noRoom,
  ENOTDIR: noFolder,
  EEXIST: noFolder,
  ENOENT: ['a folder in the path is a broken link, was just removed, or cannot hold folders', 'Name another folder.'],
  ELOOP: ['the path is a link', 'Remove the link.'],
  ENAMETOOLONG: ['the path is too long for the file system', 'Name another folder.'],
  EMFILE: ['the process has too many files open', 'Raise the limit of open files.'],
  EIO: ['the storage reported an error', 'Check the disk or the network share.'],
}

/** True if a disk, a quota or, by `EFBIG`, the size that `ulimit -f` allows is used up. */
export const isNoRoom = (code: string | undefined): boolean =>
  code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG'

/**
 * Turns the error of a system call into an `E_STATE` error with a repair. Returns any other error unchanged.
 * @param what start of the sentence, such as `The folder /x could not be made`
 */
export function refused(what: string, error: unknown): unknown {
  if (SkillsError.is(error)) return isNoRoom(systemCode(error.cause)) ? refused(what, error.cause) : error
  const code = systemCode(error)
  if (code === undefined) return error
  const [because, hint] = sentences[code] ?? [
    `the system refused (${code}: ${messageOf(error)})`,
    'Look at the path from a terminal.',
  ]
  const obstacle =
    because === noFolder[0] && error instanceof Error && 'path' in error && typeof error.path === 'string'
      ? obstacleTo(error.path)
      : undefined
  return stateError(`${what}: ${obstacle === undefined ? because : `${obstacle} is not a folder`}.`, hint, error)
}

/**
 * Returns the part of a path that exists and is not a folder. Returns undefined if this cannot be told, as behind a
 * broken link.
 */
function obstacleTo(path: string): string | undefined {
  const above = dirname(path)
  if (existsSync(path)) return statSync(path).isDirectory() ? undefined : path
  return above === path ? undefined : obstacleTo(above)
}
