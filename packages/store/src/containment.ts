import type { Diagnostic } from '@skills/core'

/** Whether `path` is `folder` or lies under it. Both are real paths. */
export function isInside(path: string, folder: string): boolean {
  // Asked of thousands of folders in a row, so that no text is put together.
  return (
    path.startsWith(folder) && (path.length === folder.length || path[folder.length] === '/' || folder.endsWith('/'))
  )
}

/**
 * The traversal error of a path that really lies outside every allowed folder; undefined when it does not.
 * @param within real paths of folders; one with `/*` behind it gives its folders, and a file only by its own name, so
 *   that no link makes a
 * skill of another file there. Undefined: anywhere
 * @param isFolder whether the real path is one of a folder
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
  return {
    severity: 'error',
    type: 'traversal',
    code: 'link-escapes',
    path,
    message: `${path} really lies at ${realPath}, outside the project, and is not read.`,
    hint: 'Copy it into the project, or allow links into its folder: "linksTo" of your own configuration names such.',
  }
}

export function danglingLink(path: string): Diagnostic {
  return {
    severity: 'error',
    type: 'io',
    code: 'dangling-link',
    path,
    message: `The link ${path} leads to nothing.`,
    hint: 'Remove it or point it elsewhere.',
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/'))
}
