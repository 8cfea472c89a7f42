import { dirname } from 'node:path'
import { findProjectFolders } from '@skills/files'
import { plainFolder } from '@skills/files/internal'
import { managedDirs, policyName } from '@skills/source-managed'
import { pluginSource } from '@skills/source-plugin'
import { installedRecord, userSettings } from './find-settings.js'
import { projectSettings } from './project-settings.js'
import type { Host, Provider } from '@skills/core'
import type { PluginSourceOptions } from '@skills/source-plugin'
import type { InstalledPlugins } from '@skills/source-plugin/internal'

export interface PublishedOptions extends Omit<PluginSourceOptions, 'installed'> {
  /**
   * True for the plugins that Claude Code has installed for the user and its settings switch on. Default: that of the
   * distribution.
   */
  readonly installed?: boolean | undefined
}

/**
 * Makes the source of plugins: those that are named, then those that Claude Code has installed.
 * @param dirs folders of the machine's administrator; default: the platform's own
 */
export function published(
  { installed: wantsInstalled = false, ...options }: PublishedOptions,
  host: Host,
  dirs: readonly string[] | undefined,
): Provider<'source'> {
  const installed = wantsInstalled ? installedPlaces(host, dirs) : undefined
  return pluginSource({ ...options, ...(installed && { installed }) })
}

/** Returns the places in which Claude Code records its plugins, and its settings files, the strongest first. */
function installedPlaces(host: Host, dirs: readonly string[] | undefined): InstalledPlugins | undefined {
  const user = userSettings(host)
  if (user === undefined) return undefined
  const { folders } = findProjectFolders(host)
  return {
    folder: plainFolder(dirname(installedRecord(host))),
    project: folders,
    settings: [
      ...(dirs ?? managedDirs(host.platform)).map(dir => ({
        path: `${plainFolder(dir)}/${policyName}`,
        from: 'managed' as const,
      })),
      ...projectSettings(host)
        .filter(({ onlyRestricts }) => !onlyRestricts)
        .map(({ path }) => ({ path, from: 'project' as const })),
      { path: user, from: 'user' },
    ],
  }
}
