import { isAbsolute, win32 } from 'node:path'
import type { Host } from '@skills/core'

/** Where a user's programs keep what is neither configuration nor cache; undefined without a home folder. */
export function userStateFolder({ env, home, platform }: Pick<Host, 'env' | 'home' | 'platform'>): string | undefined {
  // A relative one does not count, says the specification of these folders.
  const configured = (folder: string | undefined, isFull: (path: string) => boolean): string | undefined => folder !== undefined && isFull(folder) ? folder : undefined
  const inHome = (folder: string): string | undefined => home === '' ? undefined : `${home}/${folder}`
  const base = platform === 'win32' ? configured(env['LOCALAPPDATA'], win32.isAbsolute) ?? inHome('AppData/Local')
    : platform === 'darwin' ? inHome('Library/Application Support')
      : configured(env['XDG_STATE_HOME'], isAbsolute) ?? inHome('.local/state')
  return base === undefined ? undefined : `${base.replaceAll('\\', '/').replace(/\/+$/, '')}/skills`
}
