import { lstatSync } from 'node:fs'
import { notWritten } from './write-error.js'
import type { OpenFolder } from './open-folder.js'

/** Folders in which a program that keeps versions, or installs packages, has its own files. */
const kept = new Set(['.git', '.hg', '.svn', '.jj', '.bzr', '.pijul', '_darcs', 'cvs', '.sl', 'node_modules'])

/**
 * A name as the least exact file system sees it: without letter case, characters that are not seen, a stream of NTFS,
 * and dots and spaces at its end; `GIT~1` as the name that it is short for.
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

/** Whether a part of a path is the folder of a program that keeps versions or installs packages, as some disk sees it. */
export function isProgramsFolder(name: string): boolean {
  return kept.has(foldedName(name))
}

/**
 * The names of a path below a root. Throws `E_WRITE` for one that leads out of it, by any separator of the
 * platform.
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
      throw notWritten(`${JSON.stringify(path)} is no path below ${root}.`, 'Name a file or folder in it.')
  return names
}

/** Throws `E_WRITE` for a path that passes through the folder of such a program, in any spelling. */
export function refuseProgramsFolder(path: string, names: readonly string[]): void {
  const name = names.find(isProgramsFolder)
  if (name !== undefined)
    throw notWritten(
      `${path} lies in ${name}, where other programs keep their own files, and nothing is written there.`,
      'Name another place.',
    )
}

/** Throws `E_WRITE` for the folder in which git keeps a repository, by any name: hooks in it are run. */
export function refuseRepository(folder: OpenFolder): void {
  const has = (name: string): boolean => lstatSync(folder.at(name), { throwIfNoEntry: false }) !== undefined
  if (has('HEAD') && (has('objects') || has('commondir')))
    throw notWritten(
      `${folder.path} is where git keeps a repository (it has HEAD and objects), and nothing is written there.`,
      'Name another place.',
    )
}
