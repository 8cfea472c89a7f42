import { resolve } from 'node:path'
import { userConfigurationPath } from '@skills/files/internal'
import { isInside, slashes } from '@skills/files/internal'
import { sortFolders } from '@skills/inspect/internal'
import { hostOf } from './engine.js'
import { shownPath } from '../output/shown-path.js'
import type { Invocation } from '../arguments/invocation.js'
import type { Io } from '../io.js'

/**
 * Returns what to write, and into which file, so that every session loads these plugins and trusts them as the user's
 * own.
 */
export function alwaysText(key: 'plugins' | 'marketplaces', path: string, invocation: Invocation, io: Io): string {
  const file = userConfigurationPath(hostOf(invocation, io))
  return `${JSON.stringify(key)}: [${JSON.stringify(path)}] in ${file === undefined ? 'skills.config.json of your configuration folder' : shownPath(file, io.cwd)}`
}

/** Returns a hint on how to trust a plugin. @param path folder of the plugin, absolute */
export function pluginTrustHint(path: string, invocation: Invocation, io: Io): string {
  const absolute = (given: string): string => slashes(resolve(io.cwd, given))
  const named = [
    ...invocation.marketplaces.map(absolute),
    ...sortFolders(invocation.pluginDirs.map(absolute)).marketplaces,
  ]
  const marketplace = named.find(one => isInside(path, one.replace(/(?:\/\.claude-plugin)?\/[^/]*\.json$/, '')))
  const line =
    marketplace === undefined
      ? alwaysText('plugins', path, invocation, io)
      : alwaysText('marketplaces', marketplace, invocation, io)
  return `Read it first: what you name in your own configuration is trusted. Then write ${line}.`
}
