import { basename, dirname } from 'node:path'
import { compareCodeUnits } from '@skills/core'
import { Root } from '@skills/state/writer'
import { foldersAbove } from './check-skill.js'
import type { FileEntry } from './file-entries.js'

/** Writes files into a new folder, for the user alone. Throws system errors; the unfinished folder then stays. */
export function writeTree(folder: string, entries: readonly FileEntry[]): void {
  new Root(dirname(folder), { kind: 'temporary' }).makeFolder(basename(folder))
  const root = new Root(folder, { kind: 'temporary' })
  for (const below of foldersOf(entries)) root.makeFolder(below)
  for (const { path, bytes } of entries) root.create(path, bytes)
}

/** Returns every folder that contains a file, outer ones first. */
export function foldersOf(entries: readonly FileEntry[]): readonly string[] {
  return [...new Set(entries.flatMap(({ path }) => foldersAbove(path)))].sort(compareCodeUnits)
}
