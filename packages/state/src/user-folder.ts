import { isAbsolute, win32 } from 'node:path'
import { stateError } from './state-error.js'
import type { Host } from '@skills/core'

/** Parts of a host that decide where its user's folders are. */
export type UserHost = Pick<Host, 'env' | 'home' | 'platform'>

/**
 * Returns the folder that a variable names, absolute, with forward slashes, or undefined. A relative path is ignored,
 * as the XDG specification says: it would be another folder in each working folder.
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
  throw stateError(`There is no home folder in which anything could be ${what}${why}.`, hint)
}

/**
 * Returns a path with forward slashes and without one at its end. Only Windows has backslashes replaced; elsewhere they
 * are ordinary characters.
 */
export function plain(folder: string, platform: Host['platform']): string {
  return (platform === 'win32' ? folder.replaceAll('\\', '/') : folder).replace(/\/+$/, '')
}

/**
 * Returns the folder for a user's state, absolute, with forward slashes. It is `skills` in `$XDG_STATE_HOME` or
 * `~/.local/state`; on macOS in `~/Library/Application Support`, on Windows in `%LOCALAPPDATA%`. It may be missing.
 * Throws `E_STATE` if there is no home folder. See docs/reference/sessions.md, "State".
 */
export function stateFolderOf(host: UserHost): string {
  const home = (): string =>
    homeFolder(host, 'remembered', 'Set HOME to your home folder; a program names another folder as "dir".')
  switch (host.platform) {
    case 'win32':
      return `${configuredFolder(host, 'LOCALAPPDATA') ?? `${home()}/AppData/Local`}/skills`
    case 'darwin':
      return `${home()}/Library/Application Support/skills`
    default:
      return `${configuredFolder(host, 'XDG_STATE_HOME') ?? `${home()}/.local/state`}/skills`
  }
}

/**
 * Returns the folder for a user's cache, absolute, with forward slashes. It is `skills` in `$XDG_CACHE_HOME` or
 * `~/.cache`; on macOS in `~/Library/Caches`; on Windows `skills/cache` in `%LOCALAPPDATA%`. It may be missing, and it
 * is never a temporary folder that users share. Throws `E_STATE` if there is no home folder. See
 * docs/reference/sessions.md, "State".
 */
export function cacheFolderOf(host: UserHost): string {
  const home = (): string => homeFolder(host, 'cached', "Name a folder of the user's own.")
  switch (host.platform) {
    // On Windows the state lies in the same folder, so the cache has one below it.
    case 'win32':
      return `${configuredFolder(host, 'LOCALAPPDATA') ?? `${home()}/AppData/Local`}/skills/cache`
    case 'darwin':
      return `${home()}/Library/Caches/skills`
    default:
      return `${configuredFolder(host, 'XDG_CACHE_HOME') ?? `${home()}/.cache`}/skills`
  }
}
