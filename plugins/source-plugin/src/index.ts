import { defineProvider, SkillsError, type Provider } from '@skills/core'
import { fileSource } from '@skills/skill-files'
import { isPackageName } from './find-package.js'
import { PluginFiles } from './plugin-files.js'
import { PluginRegistry } from './plugin-registry.js'
import type { PluginSourceOptions } from './plugin-options.js'

export type { NamedBy, PluginConfig, PluginFolder, PluginMarketplace, PluginPackage, PluginSourceOptions } from './plugin-options.js'

/**
 * Skills and legacy commands of the plugins that configuration names, in folders, npm packages and marketplaces.
 * Throws `E_INVALID_OPTION` for what cannot be the name of a package. See docs/reference.md, "Plugins".
 *
 *     pluginSource({ plugins: ['./tools/acme'] })
 */
export function pluginSource(options: PluginSourceOptions = {}): Provider<'source'> {
  const { layout, order, limitMs, packages = [], sharedReads } = options
  for (const { name } of packages) {
    if (!isPackageName(name)) throw new SkillsError('E_INVALID_OPTION', `${JSON.stringify(name)} is not the name of a package.`, { hint: 'Name it as npm does, such as "@acme/skills".' })
  }
  return defineProvider({
    kind: 'source', id: 'plugin', ...(order === undefined ? {} : { order }), ...(limitMs === undefined ? {} : { limitMs }),
    async setup(ctx) {
      const registry = new PluginRegistry(options, ctx.host)
      const files = fileSource({
        id: 'plugin', source: 'plugin', layout, sharedReads,
        roots: () => ({ roots: registry.known.plugins.flatMap(({ roots }) => roots) }),
      })
      return new PluginFiles(registry, await files.setup(ctx), ctx.report)
    },
  })
}
