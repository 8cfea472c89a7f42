import { findProjectFolders } from '@skills/files'
import { configurationNames, lstatOf, userConfigurationFolder } from '@skills/files/internal'
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

/**
 * Finds the configuration files of a user and of their project, the user's first, without reading them. They are in the
 * configuration folder of the user, and in the nearest folder of the project that has one. See
 * docs/reference/distributions.md, "Configuration".
 */
export function findConfiguration(host: ConfigurationHost): readonly ConfigurationFile[] {
  const own = userConfigurationFolder(host)
  const user = own === undefined ? undefined : fileIn(own, 'user')
  const project = findProjectFolders(host).folders.reduce<ConfigurationFile | undefined>(
    (found, folder) => found ?? fileIn(folder, 'project'),
    undefined,
  )
  return [user, project].filter(file => file !== undefined)
}

/** Finds any entry of the name, even a broken link, so that unreadable rules are not taken for no rules. */
function fileIn(folder: string, from: ConfigurationFile['from']): ConfigurationFile | undefined {
  const [path, besides] = configurationNames
    .map(name => `${folder}/${name}`)
    .filter(file => lstatOf(file) !== undefined)
  return path === undefined ? undefined : { path, from, ...(besides !== undefined && { besides }) }
}
