import { isAbsolute, win32 } from 'node:path'
import { findProjectFolders } from '@skills/files'
import { lstatOf, plainFolder } from '@skills/files/internal'
import type { Host } from '@skills/core'

export type ConfigurationHost = Pick<Host, 'cwd' | 'home' | 'env' | 'platform' | 'uid' | 'clock'>

/** A configuration file that is there. */
export interface ConfigurationFile {
  /** Absolute, forward slashes. */
  readonly path: string
  /** Whose it is: the user's own, or one that came with the project. */
  readonly from: 'user' | 'project'
  /** A file beside it that does not count, because of it. */
  readonly besides?: string | undefined
}

/** The first that is there counts: what can say more comes first. */
const names = ['skills.config.mjs', 'skills.config.json'] as const

/**
 * The configuration files of a user and of the project that they work in, the user's first: in the configuration folder
 * of the user, and in the nearest folder of the project that has one. Nothing of them is read. See
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

/** Anything with the name counts, a link to nothing too: unreadable rules must not pass for no rules. */
function fileIn(folder: string, from: ConfigurationFile['from']): ConfigurationFile | undefined {
  const [path, besides] = names.map(name => `${folder}/${name}`).filter(file => lstatOf(file) !== undefined)
  return path === undefined ? undefined : { path, from, ...(besides !== undefined && { besides }) }
}

/**
 * The user's configuration file, be it there or not: `skills.config.json` unless there is another. Undefined without a
 * home folder.
 */
export function userConfigurationPath(host: ConfigurationHost): string | undefined {
  const own = userFolder(host)
  return own === undefined ? undefined : (fileIn(own, 'user')?.path ?? `${own}/${names[1]}`)
}

/** The folder of the user's configuration; undefined without a home folder. */
export function userFolder({ home, env, platform }: ConfigurationHost): string | undefined {
  const [variable, below, isFull] =
    platform === 'win32'
      ? (['APPDATA', 'AppData/Roaming', win32.isAbsolute] as const)
      : (['XDG_CONFIG_HOME', '.config', isAbsolute] as const)
  const configured = env[variable] ?? ''
  if (isFull(configured)) return `${plainFolder(configured)}/skills`
  return home === '' ? undefined : `${plainFolder(home)}/${below}/skills`
}
