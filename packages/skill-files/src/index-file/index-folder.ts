import { isAbsolute, win32 } from 'node:path'
import { statOf } from '@skills/fs'
import type { Host } from '@skills/core'

/**
 * The folder of the indexes in the user's cache, absolute, forward slashes: `skills/index` in `$XDG_CACHE_HOME` or `~/.cache`; on
 * macOS in `~/Library/Caches`, on Windows in `%LOCALAPPDATA%`. It need not exist. Undefined where there is no home folder.
 */
export function indexFolderOf({ env, home, platform }: Pick<Host, 'env' | 'home' | 'platform'>): string | undefined {
  const inHome = (path: string): string | undefined => {
    // One that is not there is nobody's to make.
    return home !== '' && statOf(home)?.isDirectory() === true ? `${plain(home)}/${path}` : undefined
  }
  const folder = platform === 'win32' ? configured(env['LOCALAPPDATA'], win32.isAbsolute) ?? inHome('AppData/Local')
    : platform === 'darwin' ? inHome('Library/Caches')
      : configured(env['XDG_CACHE_HOME'], isAbsolute) ?? inHome('.cache')
  if (folder === undefined) return undefined
  return platform === 'win32' ? `${folder}/skills/cache/index` : `${folder}/skills/index`
}

/** A relative one does not count, says the specification of these folders: it would be another in each working folder. */
function configured(folder: string | undefined, isFull: (path: string) => boolean): string | undefined {
  return folder !== undefined && isFull(folder) ? plain(folder) : undefined
}

function plain(folder: string): string {
  return folder.replaceAll('\\', '/').replace(/\/+$/, '')
}
