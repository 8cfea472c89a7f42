import { relative } from 'node:path'
import { isJsonObject } from '@skills/files/internal'
import { readPrivateFile } from '@skills/state'
import { Root } from '@skills/state/writer'
import { privateFiles, type InstallPlace } from './place.js'
import type { Host } from '@skills/core'

/** Record of a place, kept in the user's own state. A record in the repository could claim anything. */
export interface PlaceRecord {
  /** Digests of the skills and agents that a person agreed to. */
  readonly agreed: ReadonlySet<string>
  /** Folders and links that were put there, relative to the base of the place. */
  readonly placed: ReadonlySet<string>
}

export function readRecord(place: InstallPlace, host: Host): PlaceRecord {
  const { folder, record } = privateFiles(place, host)
  const bytes = readPrivateFile(`${folder}/${record}`, process.geteuid?.())?.bytes
  const value: unknown = bytes === undefined ? undefined : JSON.parse(bytes.toString('utf8'))
  const { agreed, placed } = isJsonObject(value) ? value : {}
  return { agreed: new Set(textsIn(agreed)), placed: new Set(textsIn(placed)) }
}

/** Returns the texts in a list, and an empty list for any other value. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(one => typeof one === 'string') : []
}

/**
 * Returns true if this package put the folder or link at this path.
 * @param path absolute
 */
export function isPlaced({ base }: InstallPlace, { placed }: PlaceRecord, path: string): boolean {
  return placed.has(relative(base, path).replaceAll('\\', '/'))
}

export function writeRecord(place: InstallPlace, host: Host, { agreed, placed }: PlaceRecord): void {
  const { folder, record } = privateFiles(place, host)
  const text = JSON.stringify({ root: place.root, agreed: [...agreed].toSorted(), placed: [...placed].toSorted() })
  new Root(folder, { kind: 'private' }).write(record, text, { replaces: 'ours' })
}
