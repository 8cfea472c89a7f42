import { mkdir, open } from 'node:fs/promises'
import { compareCodeUnits } from '@skills/core'
import { foldersAbove } from './file-paths.js'
import type { FileEntry } from './file-entries.js'

/** Writes files into a new folder, for the user alone. Throws system errors; what was begun is left. */
export async function writeTree(folder: string, entries: readonly FileEntry[]): Promise<void> {
  // A folder that is made here and now holds no links, so that nothing is ever written through one.
  await mkdir(folder, { mode: 0o700 })
  for (const below of foldersOf(entries)) await mkdir(`${folder}/${below}`, { mode: 0o700 })
  for (const { path, bytes } of entries) {
    const file = await open(`${folder}/${path}`, 'wx', 0o600)
    try {
      await file.writeFile(bytes)
    } finally {
      await file.close()
    }
  }
}

/** Every folder that some file lies in, the outer before the inner. */
export function foldersOf(entries: readonly FileEntry[]): readonly string[] {
  return [...new Set(entries.flatMap(({ path }) => foldersAbove(path)))].sort(compareCodeUnits)
}
