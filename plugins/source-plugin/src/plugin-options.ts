import * as s from '@skills/core/schema'
import type { FileReads } from '@skills/files/internal'
import type { Layout } from '@skills/files/source'

/**
 * Owner of the configuration that names a plugin, on which its trust depends. `command-line`: a person named the plugin
 * for one command.
 */
export type NamedBy = 'host' | 'user' | 'managed' | 'project' | 'command-line'

/** Values of the settings that a manifest asks for, by key. */
export type PluginConfig = Readonly<Record<string, string | number | boolean>>

interface Naming {
  /** Default: `host`. */
  readonly from?: NamedBy | undefined
  /** Default: true. A disabled plugin is listed among the places as skipped. */
  readonly enabled?: boolean | undefined
}

interface NamingServers extends Naming {
  /**
   * Names of the servers in the plugin's `mcp.json` that may be started or connected to. Default: none. Only plugins of
   * the Agent Plugins standard have servers.
   */
  readonly servers?: readonly string[] | undefined
  /**
   * Text of the plugin's files that a person agreed to, from `manifestTexts()`. No server of the plugin starts once
   * these files have changed. Default: they may change.
   */
  readonly agreedTo?: string | undefined
}

/** Plugin in a folder. */
export interface PluginFolder extends NamingServers {
  /** Path of its folder. A relative one starts from the working folder of the host. */
  readonly path: string
  readonly config?: PluginConfig | undefined
}

/** Plugin in an npm package. */
export interface PluginPackage extends NamingServers {
  /** Name of the package, such as `@acme/skills`. */
  readonly name: string
  /** Folder from which it is searched upward through `node_modules`: that of the configuration that names it. */
  readonly folder: string
  readonly config?: PluginConfig | undefined
}

/** Marketplace file, which stands for the local plugins that it names. */
export interface PluginMarketplace extends Naming {
  /** Folder with `.claude-plugin/marketplace.json`, or the file itself. */
  readonly path: string
  /** Names of the wanted plugins. Default: all. */
  readonly only?: readonly string[] | undefined
  /** Names of the disabled plugins. Default: none. */
  readonly disabled?: readonly string[] | undefined
  /** Values of settings, by name of the plugin. */
  readonly config?: Readonly<Record<string, PluginConfig>> | undefined
}

/** Plugins that Claude Code has installed for the user. */
export interface InstalledPlugins {
  /** Absolute path of Claude Code's folder of plugins, with `installed_plugins.json` and `cache`. */
  readonly folder: string
  /** Settings files whose `enabledPlugins` count, the strongest first, with their owners. */
  readonly settings: readonly { readonly path: string; readonly from: NamedBy }[]
  /** Folders of this project. A plugin that was installed for one project counts only there. */
  readonly project: readonly string[]
}

export const pluginSourceOptions = s.options('pluginSource()', {
  /** Folders of plugins, highest first. A text is a path. */
  plugins: s.list(s.either(s.text(), s.typed<PluginFolder>('a plugin folder'))),
  /** npm packages, after all folders. Nothing of them is imported. */
  // pluginSource() reports what to write in place of a name.
  packages: s.list(s.typed<PluginPackage>('a package', () => true)).default([]),
  /** Marketplaces, after all packages. A text is a path. */
  marketplaces: s.list(s.either(s.text(), s.typed<PluginMarketplace>('a plugin marketplace'))),
  /** Plugins that Claude Code has installed for the user, after all others. Default: none. */
  installed: s.typed<InstalledPlugins>('installed plugins'),
  /**
   * Absolute path of the user's state folder, in which `plugins/<name>` is the value of `${CLAUDE_PLUGIN_DATA}`.
   * Default: `skills` in `$XDG_STATE_HOME` or `~/.local/state`, on macOS in `~/Library/Application Support`, on Windows
   * in `%LOCALAPPDATA%`.
   */
  stateFolder: s.text(),
  /** Options for walking the folders of skills. */
  layout: s.typed<Layout>('a layout'),
  /** Kind that keeps a name that a skill and a command of a plugin share. Default: `skills`. */
  first: s.oneOf('skills', 'commands'),
  /**
   * Search for skills, and their names after the plugin's. `path` (default): in all folders below `skills`, by their
   * path; one in the plugin's own folder goes by the plugin's name. `folder`, as in Claude Code: in the folders directly
   * in `skills`, by their name; one in a folder that the plugin itself is or its manifest names goes by its own `name`,
   * otherwise by the folder's. `-` then replaces every sign but letters of ASCII, digits, `_` and `-`.
   */
  skillNames: s.oneOf('path', 'folder'),
  /**
   * Read the manifest of the Agent Plugins standard: `plugin.json` in the folder of a plugin, with `skills` and
   * `mcp.json`. Default: true.
   */
  agentPlugins: s.flag().default(true),
  /** Effect of `${user_config.x}` for a setting that the manifest does not have: an error (default), or it stays. */
  unknownSettings: s.oneOf('refuse', 'keep'),
  /** Lower first among the sources `plugin`. */
  order: s.number(),
  /** Milliseconds that a load may take. Default: 10,000. */
  limitMs: s.number(),
  /**
   * Cache of skills that other engines of this process have read: a `SharedReads` of `@skills/files`. Manifests are
   * always read. Default: no cache.
   */
  sharedReads: s.typed<FileReads>('shared reads', 'over'),
})

export interface PluginSourceOptions extends s.OptionsOf<typeof pluginSourceOptions> {}
