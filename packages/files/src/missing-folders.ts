import { dirname } from 'node:path'
import { lstatOf } from './real-path.js'

/**
 * Returns the folders that have to be made so that a folder exists, outermost first. If one of its parents is a file or
 * cannot be examined, returns all its parents and the folder.
 */
export function missingFolders(path: string): readonly string[] {
  const missing: string[] = []
  // A drive that does not exist has nothing above it.
  for (let at = path; lstatOf(at) === undefined && at !== missing[0]; at = dirname(at)) missing.unshift(at)
  return missing
}
