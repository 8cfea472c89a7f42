import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { messageOf, SkillsError } from '@skills/core'

/** What is remembered cannot be read or written. Both are sentences: what is wrong and where, and what to do. */
export function stateError(message: string, hint: string, cause?: unknown): SkillsError {
  return new SkillsError('E_STATE', message, { hint, ...(cause !== undefined && { cause }) })
}

/** The code of a failed system call, as `ENOENT`; undefined for anything else that was thrown. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

const noRight = ['your rights do not suffice', 'Change its permissions, or those of a folder above it.'] as const
const noRoom = [
  'there is no room left, on the disk or of what you may use',
  'Make room; what was there before is still whole.',
] as const
const noFolder = [
  'something on the way to it is not a folder',
  'Name another folder, or move what is in the way.',
] as const

const sentences: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  EACCES: noRight,
  EPERM: noRight,
  EROFS: ['the file system is read-only', 'Name another folder.'],
  ENOSPC: noRoom,
  EDQUOT: noRoom,
  // What `ulimit -f` allows is used up.
  EFBIG: noRoom,
  ENOTDIR: noFolder,
  EEXIST: noFolder,
  ENOENT: [
    'a folder on the way to it is a link to nothing, was removed meanwhile, or takes no folders',
    'Name another folder.',
  ],
  ELOOP: ['it leads to something else', 'Remove the link.'],
  ENAMETOOLONG: ['the path is too long for the file system', 'Name another folder.'],
  EMFILE: ['the process has too many files open', 'Raise the limit of open files.'],
  EIO: ['the storage reported an error', 'Check the disk or the network share.'],
}

/**
 * The `E_STATE` of a path that a system call failed on; any other error stays as it is.
 * @param what begins the sentence, as `The folder /x could not be made`
 */
export function refused(what: string, error: unknown): unknown {
  const code = systemCode(error)
  if (code === undefined || SkillsError.is(error)) return error
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

/** What is no folder on the way to a path; undefined where that cannot be told, as behind a link to nothing. */
function obstacleTo(path: string): string | undefined {
  const above = dirname(path)
  if (existsSync(path)) return statSync(path).isDirectory() ? undefined : path
  return above === path ? undefined : obstacleTo(above)
}
