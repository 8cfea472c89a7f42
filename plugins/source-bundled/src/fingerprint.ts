import { createHash } from 'node:crypto'
import type { FileEntry } from './file-entries.js'

/**
 * Returns the SHA-256 of paths and contents in the order of the paths, as 64 hex digits. Lengths are included, so that
 * no content can be taken for another path.
 */
export function fingerprintOf(entries: readonly FileEntry[]): string {
  const hash = createHash('sha256')
  for (const { path, bytes } of entries) {
    const name = Buffer.from(path)
    hash.update(`${name.length}:${bytes.length}:`).update(name).update(bytes)
  }
  return hash.digest('hex')
}

/**
 * Returns the marker of an extracted folder: the first 16 hex digits of the SHA-256 of paths and contents only. If
 * another program extracts the same files, its folder therefore has the same marker.
 */
export function markerOf(entries: readonly FileEntry[]): string {
  const hash = createHash('sha256')
  for (const { path, bytes } of entries) hash.update(path).update(bytes)
  return hash.digest('hex').slice(0, 16)
}
