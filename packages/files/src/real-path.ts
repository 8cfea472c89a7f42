import { lstatSync, readlinkSync, realpathSync, statSync, type Stats } from 'node:fs'
import type { Diagnostic } from '@skills/core'
import { danglingLink } from '@skills/store/internal'
import { escapeProblem as escapes } from '@skills/store'
import { ioProblem, systemCode, unlessRefused } from './problem.js'
import { slashes } from './slashes.js'

/** The path with every link resolved, or undefined when there is nothing there. Throws other system errors. */
export function realPathOf(path: string): string | undefined {
  try {
    return slashes(realpathSync.native(path))
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

/** The stats of what a path leads to, or undefined when they cannot be read: the read that follows says why. */
export function statOf(path: string): Stats | undefined {
  return unlessRefused(() => statSync(path, noThrow), undefined)
}

/** The same of a link itself. */
export function lstatOf(path: string): Stats | undefined {
  return unlessRefused(() => lstatSync(path, noThrow), undefined)
}

/** What a link says that it leads to; undefined when it is gone, or cannot be read. */
export function targetOf(link: string): string | undefined {
  return unlessRefused(() => readlinkSync(link), undefined)
}

const noThrow = { throwIfNoEntry: false } as const

/**
 * Where a link leads, or why it may not be followed. `within` are the real paths it must stay inside, as {@link
 * escapeProblem} has them.
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

/** As `escapeProblem` of `@skills/store`, of this machine's disk. */
export function escapeProblem(
  path: string,
  realPath: string,
  within: readonly string[] | undefined,
): Diagnostic | undefined {
  return escapes(path, realPath, within, real => statOf(real)?.isDirectory() === true)
}
