import { isAbsolute, win32 } from 'node:path'
import { stateError } from './state-error.js'
import type { Host } from '@skills/core'

/** What of a host says where its user's folders are. */
export type UserHost = Pick<Host, 'env' | 'home' | 'platform'>

/**
 * The folder that a variable names, absolute, forward slashes, or undefined. A relative one does not count, says the
 * specification of these folders: it would be another in each working folder.
 */
export function configuredFolder({ env, platform }: UserHost, variable: string): string | undefined {
  const folder = env[variable]
  const isFull = platform === 'win32' ? win32.isAbsolute : isAbsolute
  return folder !== undefined && isFull(folder) ? plain(folder, platform) : undefined
}

/**
 * The home folder, absolute, forward slashes. Throws `E_STATE` where there is none, and for a relative one, as for a
 * relative variable.
 * @param what ends the sentence, as `remembered`: what could be done there
 */
export function homeFolder({ env, home, platform }: UserHost, what: string, hint: string): string {
  const folder = configuredFolder({ env: { home }, home, platform }, 'home')
  if (folder !== undefined) return folder
  // A host may leave out a home folder that its environment gives as a relative one.
  const given = home === '' ? (env['HOME'] ?? '') : home
  const why = given === '' ? '' : `: "${given}" is not absolute`
  throw stateError(`There is no home folder in which anything could be ${what}${why}.`, hint)
}

/** Forward slashes, none at the end; elsewhere than on Windows a backslash is a character like any other. */
export function plain(folder: string, platform: Host['platform']): string {
  return (platform === 'win32' ? folder.replaceAll('\\', '/') : folder).replace(/\/+$/, '')
}
