import { lstatSync, readlinkSync, realpathSync, statSync, type Stats } from 'node:fs'
import type { Diagnostic } from '@skills/core'
import { ioProblem, systemCode } from './problem.js'
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

/** The stats of what a path leads to, or undefined when they cannot be told: whoever then looks closer learns why. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, noThrow)
  } catch (error) {
    return refused(error)
  }
}

/** The same of a link itself. */
export function lstatOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, noThrow)
  } catch (error) {
    return refused(error)
  }
}

/** What a link says that it leads to; undefined when it is gone, or cannot be read. */
export function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link)
  } catch (error) {
    return refused(error)
  }
}

const noThrow = { throwIfNoEntry: false } as const

function refused(error: unknown): undefined {
  if (systemCode(error) === undefined) throw error
  return undefined
}

/** Whether `path` is `folder` or lies under it. Both are real paths. */
export function isInside(path: string, folder: string): boolean {
  // Asked of thousands of folders in a row, so that no text is put together.
  return path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/' || folder.endsWith('/'))
}

/** Where a link leads, or why it may not be followed. `within` are the real paths it must stay inside, as {@link escapeProblem} has them. */
export function followLink(path: string, within: readonly string[] | undefined): { readonly realPath: string } | { readonly problem: Diagnostic } {
  try {
    const realPath = realPathOf(path)
    if (realPath === undefined) {
      return { problem: { severity: 'error', type: 'io', code: 'dangling-link', path, message: `The link ${path} leads to nothing.`, hint: 'Remove it or point it elsewhere.' } }
    }
    const escape = escapeProblem(path, realPath, within)
    return escape === undefined ? { realPath } : { problem: escape }
  } catch (error) {
    return { problem: ioProblem('The link', path, error) }
  }
}

/**
 * The traversal error of a path that really lies outside every allowed folder; undefined when it does not.
 * @param within real paths of folders; one with `/*` behind it gives its folders, and a file only by its own name, so that no link makes a
 * skill of another file there. Undefined: anywhere
 */
export function escapeProblem(path: string, realPath: string, within: readonly string[] | undefined): Diagnostic | undefined {
  if (within === undefined || within.some(folder => admits(folder, path, realPath))) return undefined
  return {
    severity: 'error', type: 'traversal', code: 'link-escapes', path,
    message: `${path} really lies at ${realPath}, outside the project, and is not read.`,
    hint: 'Copy it into the project, or allow links into its folder: "linksTo" of your own configuration names such.',
  }
}

function admits(folder: string, path: string, realPath: string): boolean {
  if (!folder.endsWith('/*')) return isInside(realPath, folder)
  return isInside(realPath, folder.slice(0, -2)) && (nameOf(path) === nameOf(realPath) || statOf(realPath)?.isDirectory() === true)
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/'))
}
