import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemCode } from '../state-error.js'

/**
 * Makes a folder and missing ones above it, and follows links on the way. Makes each folder separately, because a
 * recursive mkdir of Node 20 never ends where the system makes no folders, as in /proc. Throws system errors.
 */
export function makeFolders(path: string, mode: number, onMade?: (folder: string) => void): void {
  if (isFolder(path)) return
  const above = dirname(path)
  if (above !== path) makeFolders(above, mode, onMade)
  try {
    mkdirSync(path, { mode })
    onMade?.(path)
  } catch (error) {
    // Another process may make the same folder at this moment.
    if (systemCode(error) !== 'EEXIST' || !isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
