import { isAbsolute, win32 } from 'node:path'
import { stateError } from './state-error.js'
import type { Host } from '@skills/core'

/** Parts of a host that decide where its user's folders are. */
export type UserHost = Pick<Host, 'env' | 'home' | 'platform'>

/**
 * Returns the folder that a variable names, absolute, with forward slashes, or undefined. A relative path is ignored,
 * as the XDG specification demands, because it would lead to another folder from each working folder.
 */
export function configuredFolder({ env, platform }: UserHost, variable: string): string | undefined {
  const folder = env[variable]
  const isFull = platform === 'win32' ? win32.isAbsolute : isAbsolute
  return folder !== undefined && isFull(folder) ? plain(folder, platform) : undefined
}

/**
 * Returns the home folder, absolute, with forward slashes. Throws `E_STATE` if there is none or its path is relative.
 * @param what end of the sentence that says what needs the folder, such as `remembered`
 */
export function homeFolder({ env, home, platform }: UserHost, what: string, hint: string): string {
  const folder = configuredFolder({ env: { home }, home, platform }, 'home')
  if (folder !== undefined) return folder
  // A host may leave out a home folder that its environment gives as a relative path.
  const given = home === '' ? (env['HOME'] ?? '') : home
  const why = given === '' ? '' : `: "${given}" is not absolute`
  throw stateError(`There is no home folder, so nothing can be ${what}${why}.`, hint)
}

/**
 * Returns a path with forward slashes and without a slash at its end. Backslashes are replaced only on Windows; on
 * other systems they are ordinary characters.
 */
export function plain(folder: string, platform: Host['platform']): string {
  return (platform === 'win32' ? folder.replaceAll('\\', '/') : folder).replace(/\/+$/, '')
}
