import { resolve } from 'node:path'

/**
 * Returns a path with forward slashes. This package returns paths in this form on every platform, for models and
 * people.
 */
export const slashes: (path: string) => string =
  process.platform === 'win32' ? path => path.replaceAll('\\', '/') : path => path

/**
 * Returns an absolute folder in the form that this package uses: forward slashes, no doubled slash, no slash at the
 * end, neither `.` nor `..`.
 */
export function plainFolder(path: string): string {
  return slashes(resolve(path))
}
