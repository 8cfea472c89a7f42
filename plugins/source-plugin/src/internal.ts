/**
 * Parts of this package for our other packages. They are not covered by versions.
 * @internal
 */
export type {
  InstalledPlugins,
  NamedBy,
  PluginConfig,
  PluginFolder,
  PluginMarketplace,
  PluginPackage,
} from './plugin-options.js'
export { manifestTexts, type ManifestTexts } from './manifest-texts.js'
export { pluginServers, type PluginServer, type PluginServers } from './plugin-servers.js'
