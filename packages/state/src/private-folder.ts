import { lstatSync, type Stats } from 'node:fs'
import { refused, stateError } from './state-error.js'
import { makeFolders } from './writer/make-folders.js'

/** Id of the only user whose files are trusted; undefined on systems without numeric user ids, such as Windows. */
export type Owner = number | undefined

/**
 * Returns true if the folder exists. Throws `E_STATE` if it belongs to another user or is open to others: the state
 * decides what may run, so other users must not be able to write it.
 */
export function isFolderThere(path: string, owner: Owner): boolean {
  const stats = statsOf(path)
  if (stats === undefined) return false
  if (stats.isSymbolicLink())
    throw stateError(
      `${path} is a link, and private files are not kept in a linked folder.`,
      'Replace the link by a folder, or name another folder.',
    )
  if (!stats.isDirectory())
    throw stateError(
      `${path} is not a folder, so nothing can be kept in it.`,
      'Move the file at that path, or name another folder.',
    )
  checkRights(path, stats, owner, '700')
  return true
}

/**
 * Makes the folder, and missing ones above it, with access for the user alone. Throws `E_STATE` if the folder exists
 * but is a link, is not a folder, belongs to another user or is open to others, and if the system refuses. See
 * docs/reference/sessions.md, "State".
 * @param path absolute
 */
export function makeFolder(path: string, owner: Owner): void {
  if (isFolderThere(path, owner)) return
  try {
    makeFolders(path, 0o700)
  } catch (error) {
    throw refused(`The folder ${path} could not be made`, error)
  }
  // Another process may have made the folder first, with a different mode.
  isFolderThere(path, owner)
}

/** Throws `E_STATE` if a file or folder belongs to another user or other users have access to it. */
export function checkRights(
  path: string,
  { mode, uid }: Pick<Stats, 'mode' | 'uid'>,
  owner: Owner,
  wanted: '600' | '700',
): void {
  if (owner === undefined) return
  if (uid !== owner) {
    throw stateError(
      `${path} belongs to the user with the id ${uid}, and your id is ${owner}, so its content is ignored.`,
      'Ask that user to remove this path or to give it to you with chown, or name another folder.',
    )
  }
  if ((mode & 0o077) === 0) return
  const rights = (mode & 0o777).toString(8).padStart(3, '0')
  throw stateError(
    `${path} is open to other users (its mode is ${rights}), so its content is ignored.`,
    `Check that no other user has changed its content, then run "chmod ${wanted}" on that path.`,
  )
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    throw refused(`The folder ${path} could not be examined`, error)
  }
}
