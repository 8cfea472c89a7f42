import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemCode } from '../state-error.js'

/**
 * Makes a folder and those above it, links among them followed. Each is made by itself: where the system makes no
 * folders, as in /proc, a recursive mkdir of Node 20 never ends. Throws system errors.
 */
export function makeFolders(path: string, mode: number, onMade?: (folder: string) => void): void {
  if (isFolder(path)) return
  const above = dirname(path)
  if (above !== path) makeFolders(above, mode, onMade)
  try {
    mkdirSync(path, { mode })
    onMade?.(path)
  } catch (error) {
    // Another process may make the same one at this moment.
    if (systemCode(error) !== 'EEXIST' || !isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
