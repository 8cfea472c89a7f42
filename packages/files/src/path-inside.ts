import { posix } from 'node:path'

/**
 * A path as a manifest has it, relative to the folder of that manifest, without `.` and `..` and with forward slashes;
 * empty for the folder itself, undefined for one that leads elsewhere as it is written. Where links lead it does not
 * tell.
 */
export function pathInside(given: string): string | undefined {
  const path = given.replaceAll('\\', '/')
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || path.includes('\0')) return undefined
  const plain = posix.normalize(`./${path}`).replace(/\/$/, '')
  if (plain === '..' || plain.startsWith('../')) return undefined
  return plain === '.' ? '' : plain
}
