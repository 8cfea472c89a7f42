import { defineProvider, processHost, type Host, type Plugin, type Provider, type SkillsOptions } from '@skills/core'
import { builtinSource, type BuiltinSourceOptions } from '@skills/source-builtin'
import { managedSource, type ManagedSourceOptions } from '@skills/source-managed'
import { projectSource } from '@skills/source-project'
import { userSource } from '@skills/source-user'
import type { PluginSourceOptions } from '@skills/source-plugin'

export interface StandardOptions extends Pick<SkillsOptions, 'onDiagnostic'>, Partial<Omit<SkillsOptions, 'onDiagnostic' | 'plugins' | 'host'>> {
  /** What is known better than by asking this process, such as `cwd` and `home`. */
  readonly host?: Partial<Host>
  /** Further folders whose skills count as the project's, absolute. */
  readonly additional?: readonly string[]
  /** Where whoever runs the machine keeps skills and policy, such as another folder. Default: the platform's folder. */
  readonly managed?: ManagedSourceOptions | undefined
  /** Published plugins whose skills are wanted. Default: none; nothing is a plugin that nobody names. */
  readonly published?: PluginSourceOptions | undefined
  /** Further commands of the host, or ones to leave out; `false` for none at all. Default: `/help` and `/skills`. */
  readonly builtin?: BuiltinSourceOptions | false | undefined
  /** Plugins beyond the distribution's own. */
  readonly plugins?: readonly Plugin[]
}

/**
 * The default distribution: managed skills and policy, then the user's and the project's skills, of `.claude` and `.agents`,
 * searched deeply, and the built-in commands.
 * See docs/reference.md, "The standard distribution".
 */
export function standard({ host = {}, additional = [], managed, published, builtin = {}, plugins = [], ...options }: StandardOptions): SkillsOptions {
  return {
    precedence: ['managed', 'user', 'project', 'additional', 'plugin', 'bundled', 'mcp', 'legacy', 'builtin'],
    ...options,
    host: processHost(host),
    plugins: [
      ...managedSource(managed), userSource(), projectSource({ additional }), ...published === undefined ? [] : [pluginsOnUse(published)],
      ...plugins, ...builtin === false ? [] : [builtinSource(builtin)],
    ],
  }
}

/** The source of plugins, read from disk with the first plugin that is named: most hosts name none. */
function pluginsOnUse(options: PluginSourceOptions): Provider<'source'> {
  return defineProvider({
    kind: 'source', id: 'plugin',
    setup: async ctx => (await import('@skills/source-plugin')).pluginSource(options).setup(ctx),
  })
}
