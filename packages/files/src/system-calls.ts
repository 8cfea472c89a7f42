import { resolve } from 'node:path'
import { lstatSync, readlinkSync, realpathSync, statSync, type Stats } from 'node:fs'
import { messageOf, type Diagnostic } from '@skills/core'
import { danglingLink } from '@skills/store/internal'
import { escapeProblem as escapes } from '@skills/store'

/** Returns the code of a failed system call, such as `ENOENT`, or undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Returns the result of `read`, or `otherwise` if the system refuses it. The read that follows reports why. */
export function unlessRefused<T, Otherwise>(read: () => T, otherwise: Otherwise): T | Otherwise {
  try {
    return read()
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return otherwise
  }
}

const sentences: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  EACCES: ['may not be read', 'Change its permissions, or those of a folder above it.'],
  EPERM: ['may not be read', 'Change its permissions, or those of a folder above it.'],
  ELOOP: ['leads in a cycle of links', 'Remove the link or point it elsewhere.'],
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

/** Returns a path with forward slashes. All paths leave this package so on every platform, for models and people. */
export const slashes: (path: string) => string =
  process.platform === 'win32' ? path => path.replaceAll('\\', '/') : path => path

/**
 * Returns an absolute folder in its only form here: forward slashes, none doubled or at the end, neither `.` nor `..`.
 */
export function plainFolder(path: string): string {
  return slashes(resolve(path))
}

/** Returns the path with every link resolved, or undefined if nothing is there. Throws other system errors. */
export function realPathOf(path: string): string | undefined {
  try {
    return slashes(realpathSync.native(path))
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

/** Returns the stats of a path's target, or undefined if they cannot be read. The read that follows reports why. */
export function statOf(path: string): Stats | undefined {
  return unlessRefused(() => statSync(path, noThrow), undefined)
}

/** Returns the stats of a link itself, or undefined if they cannot be read. */
export function lstatOf(path: string): Stats | undefined {
  return unlessRefused(() => lstatSync(path, noThrow), undefined)
}

/** Returns the text of a link, or undefined if it is gone or cannot be read. */
export function targetOf(link: string): string | undefined {
  return unlessRefused(() => readlinkSync(link), undefined)
}

const noThrow = { throwIfNoEntry: false } as const

/**
 * Returns the target of a link, or the reason why it must not be followed.
 * @param within real paths that it must stay in, as for {@link escapeProblem}
 */
export function followLink(
  path: string,
  within: readonly string[] | undefined,
): { readonly realPath: string } | { readonly problem: Diagnostic } {
  try {
    const realPath = realPathOf(path)
    if (realPath === undefined) {
      return { problem: danglingLink(path) }
    }
    const escape = escapeProblem(path, realPath, within)
    return escape === undefined ? { realPath } : { problem: escape }
  } catch (error) {
    return { problem: ioProblem('The link', path, error) }
  }
}

/** Returns the result of `escapeProblem` from `@skills/store` for the disk of this machine. */
export function escapeProblem(
  path: string,
  realPath: string,
  within: readonly string[] | undefined,
): Diagnostic | undefined {
  return escapes(path, realPath, within, real => statOf(real)?.isDirectory() === true)
}
