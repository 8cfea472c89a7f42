import { sortFolders } from '@skills/inspect/recognize-folder'
import { slashes } from '@skills/fs'
import type { DistributionOptions } from '@skills/distributions'

type Published = NonNullable<DistributionOptions['published']>

/** What `--plugin-dir` and `--marketplace` name: of the first a folder may be a marketplace too, which then stands for its plugins. */
export function publishedBy(pluginDirs: readonly string[], marketplaces: readonly string[]): { readonly plugins: NonNullable<Published['plugins']>; readonly marketplaces: NonNullable<Published['marketplaces']> } {
  const from = 'command-line'
  const sorted = sortFolders(pluginDirs.map(slashes))
  return { plugins: sorted.plugins.map(path => ({ path, from })), marketplaces: [...sorted.marketplaces, ...marketplaces].map(path => ({ path, from })) }
}
