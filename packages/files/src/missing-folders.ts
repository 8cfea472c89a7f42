import { dirname } from 'node:path'
import { lstatOf } from './real-path.js'

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
