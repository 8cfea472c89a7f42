import type { Diagnostic } from '@skills/core'
import type { SkillFields } from '@skills/skill-md'

/** What a plugin says of itself, checked, in one form whichever file it stood in. */
export interface Manifest {
  readonly name: string
  readonly version?: string | undefined
  /** The file it stood in, absolute; undefined for a folder without one. */
  readonly file?: string | undefined
  /** Whether it is an entry of a marketplace, several of which may share a folder. */
  readonly isEntry: boolean
  /** Folders that are looked into besides `skills`, absolute, as they were written last. */
  readonly skills: readonly ManifestPath[]
  /** What counts instead of the folder `commands`; undefined when that does. */
  readonly commands: readonly ManifestCommand[] | undefined
  /** Whether `skills`, `commands` and the plugin's own `SKILL.md` count too. */
  readonly hasDefaults: boolean
  /** Files of hooks, or hooks themselves, as they are written. */
  readonly hooks: readonly (ManifestPath | ManifestHooks)[]
  readonly settings: ReadonlyMap<string, ManifestSetting>
  /** Names of plugins. */
  readonly dependencies: readonly string[]
}

/** A path inside the plugin that its manifest names. */
export interface ManifestPath {
  /** Absolute, forward slashes. */
  readonly path: string
  /** Where it is named, for a diagnostic. */
  readonly place: Pick<Diagnostic, 'path' | 'line' | 'field'>
}

/** A map from event to matchers, or an object that has one as `hooks`. */
export interface ManifestHooks {
  readonly hooks: Readonly<Record<string, unknown>>
}

/** A command of a manifest: a path alone, or a name with a path or a text. */
export interface ManifestCommand {
  /** Default: that of the file. */
  readonly name?: string | undefined
  readonly source?: ManifestPath | undefined
  readonly content?: string | undefined
  /** What the manifest says in the place of the file. */
  readonly fields: SkillFields
}

/** Something that a plugin asks of its user. */
export interface ManifestSetting {
  readonly type?: string | undefined
  readonly isSensitive: boolean
  readonly isRequired: boolean
  readonly byDefault?: string | number | boolean | undefined
}

/** Keys that a manifest may have; what is not read here is for other programs. */
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
