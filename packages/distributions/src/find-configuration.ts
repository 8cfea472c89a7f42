import { isAbsolute, win32 } from 'node:path'
import { findProjectFolders } from '@skills/files'
import { lstatOf, plainFolder } from '@skills/files/internal'
import type { Host } from '@skills/core'

export type ConfigurationHost = Pick<Host, 'cwd' | 'home' | 'env' | 'platform' | 'uid' | 'clock'>

/** Configuration file that exists. */
export interface ConfigurationFile {
  /** Absolute path with forward slashes. */
  readonly path: string
  /** Owner: the user, or the project that it is part of. */
  readonly from: 'user' | 'project'
  /** Another configuration file beside it, which is ignored. */
  readonly besides?: string | undefined
}

/** File names. The first existing one is used; the one with more possibilities comes first. */
const names = ['skills.config.mjs', 'skills.config.json'] as const

/**
 * Finds the configuration files of a user and of their project, the user's first, without reading them. They are in the
 * configuration folder of the user, and in the nearest folder of the project that has one. See
 * docs/reference/distributions.md, "Configuration".
 */
export function findConfiguration(host: ConfigurationHost): readonly ConfigurationFile[] {
  const own = userFolder(host)
  const user = own === undefined ? undefined : fileIn(own, 'user')
  const project = findProjectFolders(host).folders.reduce<ConfigurationFile | undefined>(
    (found, folder) => found ?? fileIn(folder, 'project'),
    undefined,
  )
  return [user, project].filter(file => file !== undefined)
}

/** Finds any entry of the name, even a broken link, so that unreadable rules are not taken for no rules. */
function fileIn(folder: string, from: ConfigurationFile['from']): ConfigurationFile | undefined {
  const [path, besides] = names.map(name => `${folder}/${name}`).filter(file => lstatOf(file) !== undefined)
  return path === undefined ? undefined : { path, from, ...(besides !== undefined && { besides }) }
}

/**
 * Returns the path of the user's configuration file, which may not exist: `skills.config.json`, unless the folder has a
 * configuration file of another name. Undefined without a home folder.
 */
export function userConfigurationPath(host: ConfigurationHost): string | undefined {
  const own = userFolder(host)
  return own === undefined ? undefined : (fileIn(own, 'user')?.path ?? `${own}/${names[1]}`)
}

/** Returns the folder of the user's configuration. Undefined without a home folder. */
export function userFolder({ home, env, platform }: ConfigurationHost): string | undefined {
  const [variable, below, isFull] =
    platform === 'win32'
      ? (['APPDATA', 'AppData/Roaming', win32.isAbsolute] as const)
      : (['XDG_CONFIG_HOME', '.config', isAbsolute] as const)
  const configured = env[variable] ?? ''
  if (isFull(configured)) return `${plainFolder(configured)}/skills`
  return home === '' ? undefined : `${plainFolder(home)}/${below}/skills`
}
