import { lstatSync, readlinkSync, realpathSync, statSync, type Stats } from 'node:fs'
import type { Diagnostic } from '@skills/core'
import { danglingLink } from '@skills/store/internal'
import { escapeProblem as escapes } from '@skills/store'
import { ioProblem, systemCode, unlessRefused } from './problem.js'
import { slashes } from './slashes.js'

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

/**
 * Returns the stats of a path's target, or undefined if they cannot be read. The reason is reported when the file
 * itself is read.
 */
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
 * @param within real paths that the target must stay in, as for {@link escapeProblem}
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
