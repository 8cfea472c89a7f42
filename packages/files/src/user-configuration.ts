import { isAbsolute, win32 } from 'node:path'
import { plainFolder } from './slashes.js'
import type { Host } from '@skills/core'

export type PlaceHost = Pick<Host, 'home' | 'env' | 'platform'>

/** File names of a configuration. The first existing one is used; the one with more possibilities comes first. */
export const configurationNames = ['skills.config.mjs', 'skills.config.json'] as const

/** Returns the folder of the user's configuration. Undefined without a home folder. */
export function userConfigurationFolder({ home, env, platform }: PlaceHost): string | undefined {
  const [variable, below, isFull] =
    platform === 'win32'
      ? (['APPDATA', 'AppData/Roaming', win32.isAbsolute] as const)
      : (['XDG_CONFIG_HOME', '.config', isAbsolute] as const)
  const configured = env[variable] ?? ''
  if (isFull(configured)) return `${plainFolder(configured)}/skills`
  return home === '' ? undefined : `${plainFolder(home)}/${below}/skills`
}
