import { existsSync } from 'node:fs'
import { sortFolders } from '@skills/inspect/internal'
import { slashes } from '@skills/files/internal'
import { UsageError } from '../arguments/usage-error.js'
import type { DistributionOptions } from '@skills/distributions'

type Published = NonNullable<DistributionOptions['published']>

/**
 * Returns the plugins and marketplaces that `--plugin-dir` and `--marketplace` name. If a folder of `--plugin-dir` is a
 * marketplace, all its plugins are returned.
 */
export function publishedBy(
  pluginDirs: readonly string[],
  marketplaces: readonly string[],
): {
  readonly plugins: NonNullable<Published['plugins']>
  readonly marketplaces: NonNullable<Published['marketplaces']>
} {
  const from = 'command-line'
  const other = marketplaces.find(
    path => !path.endsWith('.json') && !existsSync(`${path}/.claude-plugin/marketplace.json`),
  )
  if (other !== undefined)
    throw new UsageError(
      `${other} given with --marketplace is not a marketplace: it has no .claude-plugin/marketplace.json.`,
    )
  const sorted = sortFolders(pluginDirs.map(slashes))
  // A marketplace also brings skills that no plugin of it lists.
  const beside = sortFolders(marketplaces.filter(path => !path.endsWith('.json')).map(slashes))
  const also = beside.plugins.filter(path => beside.marketplaces.includes(path) && !sorted.plugins.includes(path))
  return {
    plugins: [...sorted.plugins, ...also].map(path => ({ path, from })),
    marketplaces: [...sorted.marketplaces, ...marketplaces].map(path => ({ path, from })),
  }
}
