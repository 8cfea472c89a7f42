import { isAbsolute, win32 } from 'node:path'
import { stateError } from './state-error.js'
import type { Host } from '@skills/core'

/**
 * The folder in which it is kept what a user's engines remember, absolute, forward slashes: `skills` in `$XDG_STATE_HOME` or
 * `~/.local/state`; on macOS in `~/Library/Application Support`, on Windows in `%LOCALAPPDATA%`. It need not exist.
 * Throws `E_STATE` where there is no home folder. See docs/reference.md, "State".
 */
export function stateFolderOf(host: Pick<Host, 'env' | 'home' | 'platform'>): string {
  switch (host.platform) {
    case 'win32': return `${configured(host.env['LOCALAPPDATA'], win32.isAbsolute) ?? `${homeOf(host)}/AppData/Local`}/skills`
    case 'darwin': return `${homeOf(host)}/Library/Application Support/skills`
    default: return `${configured(host.env['XDG_STATE_HOME'], isAbsolute) ?? `${homeOf(host)}/.local/state`}/skills`
  }
}

/** A relative one does not count, says the specification of these folders: it would be another in each working folder. */
function configured(folder: string | undefined, isFull: (path: string) => boolean): string | undefined {
  return folder !== undefined && isFull(folder) ? plain(folder) : undefined
}

function homeOf({ home }: Pick<Host, 'home'>): string {
  if (home === '') throw stateError('There is no home folder in which anything could be remembered.', 'Name a folder with dir.')
  return plain(home)
}

function plain(folder: string): string {
  return folder.replaceAll('\\', '/').replace(/\/+$/, '')
}
