import { isJsonObject } from '../json-file.js'
import { pathInside } from '../path-inside.js'

/** Plugin of a marketplace whose files are in the marketplace itself. */
export interface LocalPlugin {
  readonly entry: Readonly<Record<string, unknown>>
  /** Its folder, below that of the marketplace; empty for the folder itself. */
  readonly path: string
}

/** Returns the entries of a marketplace that are objects, in order. */
export function marketplaceEntries({
  plugins,
}: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(plugins) ? plugins.filter(isJsonObject) : []
}

/**
 * Returns the path of a plugin below its marketplace. Returns undefined for a path that leads out of it. A bare name is
 * relative to the folder that the marketplace defines for all plugins.
 */
export function pluginPath(source: string, { metadata }: Readonly<Record<string, unknown>>): string | undefined {
  const root = isJsonObject(metadata) ? metadata['pluginRoot'] : undefined
  const isBare = typeof root === 'string' && !/^\.{1,2}(?:\/|$)/.test(source)
  return pathInside(isBare ? `${root}/${source}`.replace(/^\//, '') : source)
}

/** Returns the plugins of a marketplace that lie in its own folder. */
export function localPlugins(data: Readonly<Record<string, unknown>>): readonly LocalPlugin[] {
  return marketplaceEntries(data).flatMap(entry => {
    const { source } = entry
    const path = typeof source === 'string' ? pluginPath(source, data) : undefined
    return path === undefined ? [] : [{ entry, path }]
  })
}
