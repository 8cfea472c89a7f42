import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemCode } from './problem.js'
import { lstatOf } from './real-path.js'

/**
 * Makes a folder and those missing above it; one that is there, or that a link leads to, stays as it is. Each is made
 * by itself: where the system makes no folders, as in /proc, a recursive mkdir of Node 20 never ends. Throws system
 * errors.
 * @param mode of the folders that are made
 */
export function makeFolders(path: string, mode?: number): void {
  for (const folder of [...missingFolders(dirname(path)), path]) makeOne(folder, mode)
}

/**
 * The folders that have to be made for one to be there, the outermost first; below a file, or where nothing can be
 * told, all of them.
 */
export function missingFolders(path: string): readonly string[] {
  const missing: string[] = []
  // Above a drive that is not there is nothing else.
  for (let at = path; lstatOf(at) === undefined && at !== missing[0]; at = dirname(at)) missing.unshift(at)
  return missing
}

function makeOne(folder: string, mode: number | undefined): void {
  if (isFolder(folder)) return
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process may make the same one at this moment.
    if (systemCode(error) !== 'EEXIST' || !isFolder(folder)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
