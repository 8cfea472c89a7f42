import { messageOf, type Diagnostic } from '@skills/core'

/** Returns the code of a failed system call, such as `ENOENT`, or undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/**
 * Returns the result of `read`, or `otherwise` if the system refuses the call. The reason is reported when the file
 * itself is read.
 */
export function unlessRefused<T, Otherwise>(read: () => T, otherwise: Otherwise): T | Otherwise {
  try {
    return read()
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return otherwise
  }
}

const sentences: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  EACCES: ['may not be read', 'Change the permissions of this path, or of a folder above it.'],
  EPERM: ['may not be read', 'Change the permissions of this path, or of a folder above it.'],
  ELOOP: ['leads in a cycle of links', 'Remove the link, or change its target.'],
  ENOTDIR: ['is not a folder', 'Move the file elsewhere, or name another folder.'],
  ENAMETOOLONG: ['has a name that is too long for the file system', 'Shorten the name.'],
  EMFILE: ['could not be opened: the process has too many files open', 'Raise the limit of open files.'],
  EIO: ['could not be read: the storage reported an error', 'Check the disk or the network share.'],
}

/**
 * Makes the error for a path that a system call failed on.
 * @param what noun, such as `The folder`
 */
export function ioProblem(what: string, path: string, error: unknown): Diagnostic {
  const code = systemCode(error)
  const [sentence, hint] = sentences[code ?? ''] ?? [
    `could not be read${code === undefined ? `: ${messageOf(error)}` : ` (${code})`}`,
    'Look at the path from a terminal.',
  ]
  return { severity: 'error', type: 'io', code: 'unreadable', message: `${what} ${path} ${sentence}.`, hint, path }
}
