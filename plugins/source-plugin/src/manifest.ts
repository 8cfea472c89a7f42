import type { Diagnostic } from '@skills/core'
import type { SkillFields } from '@skills/skill-md'
import type { StandardParts } from './agent-plugins/standard-parts.js'

/** Checked content of a manifest, in one form for all kinds of files. */
export interface Manifest {
  readonly name: string
  readonly version?: string | undefined
  /** Absolute path of its file. Undefined for a folder without one. */
  readonly file?: string | undefined
  /** True for an entry of a marketplace. Several entries may share a folder. */
  readonly isEntry: boolean
  /** Absolute paths of folders that are searched besides `skills`, in the order of the manifest. */
  readonly skills: readonly ManifestPath[]
  /**
   * True if `skills` are folders that were found, not named: a skill at the root of one does not end the search there.
   */
  readonly areFound?: boolean | undefined
  /** Commands in place of the folder `commands`. Undefined if that folder is used. */
  readonly commands: readonly ManifestCommand[] | undefined
  /** True if `skills`, `commands` and the plugin's own `SKILL.md` are used too. */
  readonly hasDefaults: boolean
  /** Files of hooks, or hooks themselves, as they are written. */
  readonly hooks: readonly (ManifestPath | ManifestHooks)[]
  readonly settings: ReadonlyMap<string, ManifestSetting>
  /** Names of plugins. */
  readonly dependencies: readonly string[]
  /** Parts of a plugin of the Agent Plugins standard. Undefined for every other plugin. */
  readonly standard?: StandardParts | undefined
}

/** Path inside the plugin that its manifest names. */
export interface ManifestPath {
  /** Absolute path with forward slashes. */
  readonly path: string
  /** Position of the name, for a diagnostic. */
  readonly place: Pick<Diagnostic, 'path' | 'line' | 'field'>
}

/** Map from event to matchers, or an object that has such a map as `hooks`. */
export interface ManifestHooks {
  readonly hooks: Readonly<Record<string, unknown>>
}

/** Command in a manifest: a path alone, or a name with a path or a text. */
export interface ManifestCommand {
  /** Default: the name of the file. */
  readonly name?: string | undefined
  readonly source?: ManifestPath | undefined
  readonly content?: string | undefined
  /** Fields of the manifest, which replace those of the file. */
  readonly fields: SkillFields
}

/** Setting that a plugin asks of its user. */
export interface ManifestSetting {
  readonly type?: string | undefined
  readonly isSensitive: boolean
  readonly isRequired: boolean
  readonly byDefault?: string | number | boolean | undefined
}

/** Keys that a manifest may have. Some keys are not read by this package but by other programs. */
export const manifestKeys: readonly string[] = [
  'name',
  'version',
  'description',
  'author',
  'homepage',
  'repository',
  'license',
  'keywords',
  'skills',
  'skillsPath',
  'skillsPaths',
  'commands',
  'agents',
  'hooks',
  'mcpServers',
  'lspServers',
  'outputStyles',
  'userConfig',
  'dependencies',
  'displayName',
  'category',
  'tags',
  'icon',
  'engines',
  '$schema',
]

/** Keys that only an entry of a marketplace has. */
export const entryKeys: readonly string[] = ['source', 'strict']
