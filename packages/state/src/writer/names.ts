import { lstatSync } from 'node:fs'
import { notWritten } from './write-error.js'
import type { OpenFolder } from './open-folder.js'

/** Folders in which version control or a package manager keeps its own files. */
const kept = new Set(['.git', '.hg', '.svn', '.jj', '.bzr', '.pijul', '_darcs', 'cvs', '.sl', 'node_modules'])

/**
 * Returns a name as the least exact file system sees it: without letter case, invisible characters, a stream of NTFS,
 * and dots and spaces at its end. `GIT~1` becomes the name that it abbreviates.
 */
function foldedName(name: string): string {
  const folded = name
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}|\p{Cc}/gu, '')
    .toLowerCase()
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
  const short = /^(.+)~\d+$/.exec(folded)?.[1]
  return short !== undefined && kept.has(`.${short}`) ? `.${short}` : folded
}

/** Returns true if on some file system this name leads to the folder of a version control or a package manager. */
export function isProgramsFolder(name: string): boolean {
  return kept.has(foldedName(name))
}

/**
 * Splits a path below a root into names. Throws `E_WRITE` for a path that leads out of the root, by any separator of
 * the platform.
 */
export function namesOf(root: string, path: string): readonly string[] {
  const names = path.split('/')
  for (const name of names)
    if (
      name === '' ||
      name === '.' ||
      name === '..' ||
      name.includes('\0') ||
      (process.platform === 'win32' && /[\\:]/.test(name))
    )
      throw notWritten(`${JSON.stringify(path)} is not a path below ${root}.`, 'Name a file or folder in it.')
  return names
}

/**
 * Throws `E_WRITE` for a path that passes through a folder of version control or a package manager, in any spelling.
 */
export function refuseProgramsFolder(path: string, names: readonly string[]): void {
  const name = names.find(isProgramsFolder)
  if (name !== undefined)
    throw notWritten(
      `${path} is in ${name}, where other programs keep their own files, so nothing is written there.`,
      'Name another place.',
    )
}

/** Throws `E_WRITE` for the folder of a git repository under any name, because git runs the hooks in it. */
export function refuseRepository(folder: OpenFolder): void {
  const has = (name: string): boolean => lstatSync(folder.at(name), { throwIfNoEntry: false }) !== undefined
  if (has('HEAD') && (has('objects') || has('commondir')))
    throw notWritten(
      `${folder.path} is the inside of a git repository (it has HEAD and objects), so nothing is written there.`,
      'Name another place.',
    )
}
