import { resolve } from 'node:path'

/** Returns a path with forward slashes. All paths leave this package so on every platform, for models and people. */
export const slashes: (path: string) => string =
  process.platform === 'win32' ? path => path.replaceAll('\\', '/') : path => path

/**
 * Returns an absolute folder in its only form here: forward slashes, none doubled or at the end, neither `.` nor `..`.
 */
export function plainFolder(path: string): string {
  return slashes(resolve(path))
}
