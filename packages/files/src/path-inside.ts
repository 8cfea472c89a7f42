import { posix } from 'node:path'

/**
 * Normalizes a path that a manifest gives relative to its folder: forward slashes, neither `.` nor `..`. Returns an
 * empty text for the folder itself, and undefined for a path that leads out of it. Does not follow links.
 */
export function pathInside(given: string): string | undefined {
  const path = given.replaceAll('\\', '/')
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || path.includes('\0')) return undefined
  const plain = posix.normalize(`./${path}`).replace(/\/$/, '')
  if (plain === '..' || plain.startsWith('../')) return undefined
  return plain === '.' ? '' : plain
}
