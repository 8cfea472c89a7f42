import type { Diagnostic } from '@skills/core'

/** Returns true if `path` is `folder` or lies below it. Both are real paths. */
export function isInside(path: string, folder: string): boolean {
  // Called for thousands of folders in a row, so it does not concatenate texts.
  return (
    path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/' || folder.endsWith('/'))
  )
}

/**
 * Returns the traversal error of a path that really lies outside every allowed folder, otherwise undefined.
 * @param within real paths of folders. A path that ends in `/*` allows every folder below it. It allows a file only if
 *   the link has the file's own name, so that a link cannot turn another file into a skill. Undefined: every path is
 *   allowed
 * @param isFolder returns true if the real path is a folder
 */
export function escapeProblem(
  path: string,
  realPath: string,
  within: readonly string[] | undefined,
  isFolder: (realPath: string) => boolean,
): Diagnostic | undefined {
  const admits = (folder: string): boolean =>
    folder.endsWith('/*')
      ? isInside(realPath, folder.slice(0, -2)) && (nameOf(path) === nameOf(realPath) || isFolder(realPath))
      : isInside(realPath, folder)
  if (within === undefined || within.some(admits)) return undefined
  const folders = within.filter(folder => !folder.endsWith('/*'))
  return {
    severity: 'error',
    type: 'traversal',
    code: 'link-escapes',
    path,
    message: `${path} is not read: it leads to ${realPath}, outside ${folders.join(' and ') || 'all allowed folders'}.`,
    hint: `Copy the target into the project, or name ${realPath.replace(/\/[^/]*$/, '')} under "linksTo" in your own configuration.`,
  }
}

export function danglingLink(path: string): Diagnostic {
  return {
    severity: 'error',
    type: 'io',
    code: 'dangling-link',
    path,
    message: `The link ${path} leads to nothing.`,
    hint: 'Remove the link, or change its target.',
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/'))
}
