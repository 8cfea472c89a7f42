/**
 * Parts of this package for our other packages. Semantic versioning does not cover them.
 * @internal
 */
export type { NamedBy, PluginConfig, PluginFolder, PluginMarketplace, PluginPackage } from './plugin-options.js'
