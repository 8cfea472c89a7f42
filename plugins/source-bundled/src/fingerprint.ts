import { createHash } from 'node:crypto'
import type { FileEntry } from './file-entries.js'

/**
 * SHA-256 over paths and contents in the order of the paths, 64 hex digits. Lengths are part of it, so that no content
 * can pass for another path.
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
 * What the marker of an extracted folder says: the first 16 hex digits of the SHA-256 over paths and contents alone, so
 * that a folder which another program made of the same files is known by its marker.
 */
export function markerOf(entries: readonly FileEntry[]): string {
  const hash = createHash('sha256')
  for (const { path, bytes } of entries) hash.update(path).update(bytes)
  return hash.digest('hex').slice(0, 16)
}
