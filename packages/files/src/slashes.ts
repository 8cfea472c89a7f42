import { resolve } from 'node:path'

/** Paths leave this package with forward slashes on every platform: models and people read them. */
export const slashes: (path: string) => string =
  process.platform === 'win32' ? path => path.replaceAll('\\', '/') : path => path

/**
 * The one way to write an absolute folder: forward slashes, none of them doubled or at the end, neither `.` nor `..`.
 */
export function plainFolder(path: string): string {
  return slashes(resolve(path))
}
