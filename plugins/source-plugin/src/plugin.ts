import { createHash } from 'node:crypto'
import { closestNames, messageOf, SkillsError, type Command, type Diagnostic } from '@skills/core'
import { contentCommand } from './content-command.js'
import { Root } from '@skills/state/writer'
import { pathInRule, type FieldFinding, type SkillFile, type SkillPlugin } from '@skills/skill-md/internal'
import type { SkillFields } from '@skills/skill-md'
import { rootsOfPlugin, type PluginFolderFacts } from './plugin-roots.js'
import { UserConfig } from './user-config.js'
import type { SkillRoot } from '@skills/files/source'
import type { StandardParts } from './agent-plugins/standard-parts.js'
import type { Manifest, ManifestPath } from './manifest.js'
import type { InstalledAs } from './named-plugin.js'
import type { PluginConfig } from './plugin-options.js'

export interface PluginParts extends PluginFolderFacts {
  /** Path as named, absolute, with forward slashes. */
  readonly path: string
  readonly from: string
  readonly installed?: InstalledAs | undefined
  readonly config: PluginConfig
  readonly stateFolder: string | undefined
  /** Names of the servers in its `mcp.json` that a person or host named. */
  readonly servers?: readonly string[] | undefined
  /** Text of its files that a person agreed to. Undefined if no agreement is needed. */
  readonly agreedTo?: string | undefined
  readonly unknownSettings?: 'refuse' | 'keep' | undefined
}

/** Matches `${NAME}` and `${user_config.key}`. */
const reference = /\$\{([\w.-]+)\}/g
const userConfig = 'user_config.'

/** Enabled plugin: the places of its commands, and the properties that all its commands have. */
export class Plugin implements SkillPlugin {
  readonly name: string
  readonly from: string
  readonly installed: InstalledAs | undefined
  readonly path: string
  readonly realPath: string
  readonly version: string | undefined
  readonly roots: readonly SkillRoot[]
  /** Paths that the manifest names. They should exist. */
  readonly named: readonly ManifestPath[]
  /** Commands whose text is in the manifest. */
  readonly commands: readonly Command[]
  readonly problems: readonly Diagnostic[]
  /** Servers of its `mcp.json` that may be used, because they were named. */
  readonly namedServers: StandardParts['servers']
  /** Names of its other servers, which are not used. */
  readonly otherServers: readonly string[]
  readonly agreedTo: string | undefined
  readonly #config: UserConfig
  readonly #stateFolder: string | undefined
  readonly #keepsUnknown: boolean

  constructor(
    readonly manifest: Manifest,
    parts: PluginParts,
  ) {
    const { path, realPath, from, config, stateFolder, servers: wanted = [], agreedTo } = parts
    const { servers = [] } = manifest.standard ?? {}
    this.namedServers = servers.filter(([name]) => wanted.includes(name))
    this.otherServers = servers.flatMap(([name]) => (wanted.includes(name) ? [] : [name]))
    this.agreedTo = agreedTo
    this.name = manifest.name
    this.from = from
    this.installed = parts.installed
    this.path = path
    this.realPath = realPath
    this.version = manifest.version
    this.#config = new UserConfig(manifest.settings, config, manifest.name, manifest.file)
    this.#stateFolder = stateFolder
    this.#keepsUnknown = parts.unknownSettings === 'keep'
    this.named = [...manifest.skills, ...(manifest.commands ?? []).flatMap(({ source }) => source ?? [])]
    this.roots = rootsOfPlugin(this, parts)
    const texts = (manifest.commands ?? []).flatMap(({ name, content, fields }) => {
      if (name === undefined || content === undefined) return []
      const own = { ...fields }
      return { findings: this.#replaceIn(own, path), command: () => contentCommand(this, name, content, own) }
    })
    this.problems = [
      ...this.#config.problems,
      ...unknownServers(manifest, wanted),
      ...texts
        .flatMap(({ findings }) => findings)
        .map(({ code, message, hint, severity }): Diagnostic => ({
          severity,
          type: 'validation',
          code,
          message,
          ...(hint === undefined ? {} : { hint }),
          field: 'commands',
          ...(manifest.file === undefined ? {} : { path: manifest.file }),
        })),
    ]
    this.commands = texts.flatMap(({ findings, command }) => (findings.length > 0 ? [] : command()))
  }

  /** Name and version for a sentence. */
  get title(): string {
    return `"${this.name}"${this.version === undefined ? '' : ` ${this.version}`}`
  }

  /** Returns the printable part, because its roots refer back to it. */
  toJSON(): Pick<SkillPlugin, 'name' | 'version' | 'from' | 'path'> {
    const { name, version, from, path } = this
    return { name, version, from, path }
  }

  /**
   * Returns the folder for data that survives updates. It depends on the plugin's name and not on its version. Made on
   * first use, for the user alone.
   */
  dataFolder(): string {
    const folder = this.dataPath()
    try {
      new Root(folder, { kind: 'person' }).makeFolder('', 0o700)
    } catch (error) {
      throw new SkillsError(
        'E_INVALID_OPTION',
        `The data folder ${folder} of the plugin "${this.name}" could not be made: ${messageOf(error)}.`,
        {
          hint: 'Make the folder above it writable, or name another folder with the option stateFolder.',
          cause: error,
        },
      )
    }
    return folder
  }

  /** Returns the path of that folder without making it. Throws `E_INVALID_OPTION` without a home folder. */
  dataPath(): string {
    const folder = this.#dataPath
    if (folder !== undefined) return folder
    throw new SkillsError(
      'E_INVALID_OPTION',
      `The plugin "${this.name}" cannot keep data, because there is no home folder.`,
      { hint: 'Name a folder with the option stateFolder.' },
    )
  }

  resolveVariable(name: string): string | undefined {
    if (name === 'CLAUDE_PLUGIN_ROOT') return this.path
    if (name === 'CLAUDE_PLUGIN_DATA') return this.dataFolder()
    if (!name.startsWith(userConfig)) return undefined
    const key = name.slice(userConfig.length)
    const found = this.#config.read(key)
    if (typeof found === 'object') return found.text
    // A reader of the prompt may learn that there is a value, but not the value.
    if (found === 'sensitive') return `[sensitive: ${key}]`
    if (found === 'unknown' && this.#keepsUnknown) return undefined
    const [message, hint] = this.#refusal(key, found)
    throw new SkillsError('E_INVALID_SKILL', message, { hint })
  }

  /** Resolves a variable for the environment of a process, which may contain sensitive values. */
  resolveForProcess(name: string): string | undefined {
    const value = name.startsWith(userConfig) ? this.#config.readForProcess(name.slice(userConfig.length)) : undefined
    return value ?? this.resolveVariable(name)
  }

  /**
   * Replaces variables in the lists of tools, which no expander sees. It is a single function, because roots compare
   * it.
   */
  readonly adapt = (fields: SkillFields, file: SkillFile): readonly FieldFinding[] => {
    const { path = '' } = file
    const found = this.#replaceIn(fields, path.slice(0, path.lastIndexOf('/')))
    const { standard } = this.manifest
    return standard === undefined || !path.startsWith(`${this.path}/skills/`)
      ? found
      : [...found, ...standard.checkSkill(fields, file)]
  }

  #replaceIn(fields: SkillFields, folder: string): readonly FieldFinding[] {
    const findings: FieldFinding[] = []
    const replaced = (field: string, tools: readonly string[]): readonly string[] =>
      tools.map(tool =>
        tool.replaceAll(reference, (written, name: string) => {
          if (name === 'CLAUDE_SKILL_DIR') return pathInRule(folder) ?? written
          if (name === 'CLAUDE_PLUGIN_ROOT') return pathInRule(this.path) ?? written
          // The folder is not made for a rule that may never be used.
          if (name === 'CLAUDE_PLUGIN_DATA') return pathInRule(this.#dataPath ?? written) ?? written
          if (!name.startsWith(userConfig)) return written
          const key = name.slice(userConfig.length)
          const found = this.#config.read(key)
          if (typeof found === 'object') return found.text
          const [message, hint] = this.#refusal(key, found)
          findings.push({ severity: 'error', code: 'unknown-variable', field, message, hint, keyPath: [field] })
          return written
        }),
      )
    if (fields.allowedTools?.some(hasReference) === true)
      fields.allowedTools = replaced('allowed-tools', fields.allowedTools)
    if (fields.disallowedTools?.some(hasReference) === true)
      fields.disallowedTools = replaced('disallowed-tools', fields.disallowedTools)
    return findings
  }

  get #dataPath(): string | undefined {
    if (this.#stateFolder === undefined) return undefined
    // The standard gives each installed plugin a folder of its own, also if another one elsewhere has its name.
    const own = this.manifest.standard === undefined ? '' : `@${shortDigest(this.realPath)}`
    return `${this.#stateFolder}/plugins/${this.name}${own}`
  }

  #refusal(key: string, because: 'unknown' | 'unset' | 'sensitive'): readonly [message: string, hint: string] {
    const what = `\${${userConfig}${key}}`
    switch (because) {
      case 'sensitive':
        return [
          `${what} of the plugin "${this.name}" is sensitive: only the programs that the plugin runs get its value.`,
          'Use a setting that is not sensitive.',
        ]
      case 'unset':
        return [
          `${what} of the plugin "${this.name}" has no value.`,
          'Give the setting a value under "config", where the plugin is named.',
        ]
      case 'unknown':
        return [
          `The plugin "${this.name}" has no setting "${key}", so ${what} is not replaced.`,
          this.#config.keys.length === 0
            ? 'Add the setting to "userConfig" of the manifest.'
            : `The settings of the plugin are ${this.#config.keys.join(', ')}.`,
        ]
    }
  }
}

function shortDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}

/** Returns a warning for each named server that the plugin does not have. */
function unknownServers({ name, file, standard }: Manifest, wanted: readonly string[]): readonly Diagnostic[] {
  const known = standard?.servers.map(([server]) => server) ?? []
  return wanted
    .filter(one => !known.includes(one))
    .map((one): Diagnostic => {
      const [close] = closestNames(one, known, 1)
      return {
        severity: 'warning',
        type: 'validation',
        code: 'unknown-plugin-server',
        ...(file === undefined ? {} : { path: file }),
        message: `The plugin "${name}" has no server ${JSON.stringify(one)} that can be used.`,
        hint: close === undefined ? 'Remove the name from "servers".' : `Did you mean "${close}"?`,
      }
    })
}

function hasReference(tool: string): boolean {
  return tool.includes('${')
}
