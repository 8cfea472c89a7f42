import * as s from '@skills/core/schema'
import type { FileReads } from '@skills/files/internal'
import type { Layout } from '@skills/files/source'

/**
 * Whose configuration names a plugin, which is what trust in it rests on; `command-line`: a person did, for one
 * command.
 */
export type NamedBy = 'host' | 'user' | 'managed' | 'project' | 'command-line'

/** Values for what a manifest asks of its user, by key. */
export type PluginConfig = Readonly<Record<string, string | number | boolean>>

interface Naming {
  /** Default: `host`. */
  readonly from?: NamedBy | undefined
  /** Default: true. What is off is among the places as skipped. */
  readonly enabled?: boolean | undefined
}

/** A plugin in a folder. */
export interface PluginFolder extends Naming {
  /** Its folder; what is relative starts from the working folder of the host. */
  readonly path: string
  readonly config?: PluginConfig | undefined
}

/** A plugin in an npm package. */
export interface PluginPackage extends Naming {
  /** Name of the package, as `@acme/skills`. */
  readonly name: string
  /** Where it is looked for, from here upward through `node_modules`: the folder of the configuration that names it. */
  readonly folder: string
  readonly config?: PluginConfig | undefined
}

/** A marketplace file, which stands for the local plugins that it names. */
export interface PluginMarketplace extends Naming {
  /** The folder with `.claude-plugin/marketplace.json`, or the file itself. */
  readonly path: string
  /** Names of the plugins that are wanted. Default: all. */
  readonly only?: readonly string[] | undefined
  /** Names of the plugins that are off. Default: none. */
  readonly disabled?: readonly string[] | undefined
  /** Values for what manifests ask, by the names of their plugins. */
  readonly config?: Readonly<Record<string, PluginConfig>> | undefined
}

export const pluginSourceOptions = s.options('pluginSource()', {
  /** Folders of plugins, highest first; a text is the path of one. */
  plugins: s.list(s.either(s.text(), s.typed<PluginFolder>('a plugin folder'))),
  /** npm packages, after all folders. Nothing of them is imported. */
  // pluginSource() says what to write in place of a name alone.
  packages: s.list(s.typed<PluginPackage>('a package', () => true)).default([]),
  /** Marketplaces, after all packages; a text is the path of one. */
  marketplaces: s.list(s.either(s.text(), s.typed<PluginMarketplace>('a plugin marketplace'))),
  /**
   * The user's state folder, absolute, in which `plugins/<name>` is what `${CLAUDE_PLUGIN_DATA}` stands for.
   * Default: `skills` in `$XDG_STATE_HOME` or `~/.local/state`, on macOS in `~/Library/Application Support`, on Windows
   * in `%LOCALAPPDATA%`.
   */
  stateFolder: s.text(),
  /** How the folders of skills are walked. */
  layout: s.typed<Layout>('a layout'),
  /** Which of a plugin's skills and commands keeps a name that both have. Default: `skills`. */
  first: s.oneOf('skills', 'commands'),
  /** What a `SKILL.md` in the folder of a plugin itself goes by, behind the plugin's name. Default: `plugin`, its name. */
  ownSkill: s.oneOf('plugin', 'folder'),
  /** Lower first among the sources `plugin`. */
  order: s.number(),
  /** Milliseconds a load may take. Default: 10,000. */
  limitMs: s.number(),
  /**
   * What other engines of this process have read of skills, as `SharedReads` of `@skills/files` does; manifests
   * are always read. Default: nothing.
   */
  sharedReads: s.typed<FileReads>('shared reads', 'over'),
})

export interface PluginSourceOptions extends s.OptionsOf<typeof pluginSourceOptions> {}
