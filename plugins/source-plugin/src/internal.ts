/**
 * Parts of this package for other packages of ours. They are not covered by versions.
 * @internal
 */
export type { NamedBy, PluginConfig, PluginFolder, PluginMarketplace, PluginPackage } from './plugin-options.js'
