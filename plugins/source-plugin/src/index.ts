import { defineProvider, SkillsError, type Provider } from '@skills/core'
import { isPackageName } from '@skills/files/internal'
import { fileSource } from '@skills/files/source'
import { PluginFiles } from './plugin-files.js'
import { PluginRegistry } from './plugin-registry.js'
import { currentRoots } from './plugin-roots.js'
import { pluginSourceOptions, type PluginSourceOptions } from './plugin-options.js'

export type { PluginSourceOptions } from './plugin-options.js'

/**
 * Makes the source of skills and legacy commands of the configured plugins, in folders, npm packages and marketplaces.
 * Throws `E_INVALID_OPTION` for an invalid package name, and for a package without a folder. See
 * docs/reference/plugins.md, "Plugins".
 *
 *     pluginSource({ plugins: ['./tools/acme'] })
 */
export function pluginSource(given?: PluginSourceOptions): Provider<'source'> {
  const options = pluginSourceOptions.read(given)
  const { layout, order, limitMs, packages, sharedReads } = options
  for (const one of packages) {
    // Configuration files contain only names, so an author may try the same in options.
    const { name, folder }: { readonly name: unknown; readonly folder?: unknown } =
      typeof one === 'string' ? { name: one } : one
    if (typeof name !== 'string' || !isPackageName(name))
      throw new SkillsError('E_INVALID_OPTION', `${JSON.stringify(name)} is not the name of a package.`, {
        hint: 'Write the name of an npm package, such as "@acme/skills".',
      })
    if (typeof folder !== 'string')
      throw new SkillsError(
        'E_INVALID_OPTION',
        `The package "${name}" is given without the folder from which to search for it.`,
        { hint: `Write { name: "${name}", folder: process.cwd() }, or another folder.` },
      )
  }
  return defineProvider({
    kind: 'source',
    id: 'plugin',
    ...(order === undefined ? {} : { order }),
    ...(limitMs === undefined ? {} : { limitMs }),
    async setup(ctx) {
      const registry = new PluginRegistry(options, ctx.host)
      const files = fileSource({
        id: 'plugin',
        source: 'plugin',
        layout,
        sharedReads,
        roots: () => ({ roots: registry.known.plugins.flatMap(currentRoots) }),
      })
      return new PluginFiles(registry, await files.setup(ctx), ctx.report)
    },
  })
}
