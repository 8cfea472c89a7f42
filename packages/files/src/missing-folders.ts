import { dirname } from 'node:path'
import { lstatOf } from './real-path.js'

/**
 * Returns the folders to be made for one to exist, outermost first. Below a file, or where this cannot be told, returns
 * all of them.
 */
export function missingFolders(path: string): readonly string[] {
  const missing: string[] = []
  // A drive that does not exist has nothing above it.
  for (let at = path; lstatOf(at) === undefined && at !== missing[0]; at = dirname(at)) missing.unshift(at)
  return missing
}
