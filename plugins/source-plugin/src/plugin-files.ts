import {
  loadResult,
  type Command,
  type Diagnostic,
  type LoadResult,
  type Note,
  type Place,
  type PromptCommand,
  type Source,
  type SourceCall,
} from '@skills/core'
import { standardServers, statOf } from '@skills/files/internal'
import { explainPlugin } from './explain-plugin.js'
import { copyInside } from './copy-inside.js'
import { isOtherFile } from './plugin-roots.js'
import { goneProblem } from './read-plugin.js'
import type { Plugin } from './plugin.js'
import type { PluginRegistry } from './plugin-registry.js'

/** File source over the folders of plugins, with the additions of their manifests. */
export class PluginFiles implements Source {
  readonly source = 'plugin'
  #found: LoadResult = loadResult({})
  #hasLooked = false

  /** @param report called with problems of the plugins' hooks */
  constructor(
    private readonly registry: PluginRegistry,
    private readonly files: Source,
    private readonly report: (diagnostic: Diagnostic) => void,
  ) {}

  async list(call: SourceCall): Promise<LoadResult> {
    this.registry.forget()
    await this.registry.look(undefined, call.signal)
    this.#hasLooked = true
    this.#found = await this.files.list(call)
    return this.#result()
  }

  async refresh(paths: readonly string[] | undefined, call: SourceCall): Promise<LoadResult | undefined> {
    const hasChanged = await this.registry.look(paths, call.signal)
    const found = await this.files.refresh?.(paths, call)
    if (!hasChanged && found === undefined) return undefined
    this.#found = found ?? this.#found
    return this.#result()
  }

  watched(): readonly string[] {
    return [...this.registry.watched(), ...(this.files.watched?.() ?? [])]
  }

  async explain(
    name: string,
    command: Command | undefined,
    call: { readonly signal: AbortSignal },
  ): Promise<readonly Note[]> {
    const notes = explainPlugin(name, command, this.registry.known, this.#found.commands)
    return [...notes, ...((await this.files.explain?.(name, command, call)) ?? [])]
  }

  /**
   * Returns the hooks of the enabled plugins, those of each file in a command that stands for it. They are read when a
   * session begins. Hooks of a plugin that Claude Code has installed are left out: its person agreed that Claude Code
   * runs them.
   */
  async hooks({ signal }: { readonly signal: AbortSignal }): Promise<readonly PromptCommand[]> {
    // Looking again would hide a change from the next refresh.
    if (!this.#hasLooked) await this.registry.look(undefined, signal)
    const { pluginHooks } = await import('./plugin-hooks.js')
    return this.registry.known.plugins
      .filter(({ installed }) => installed === undefined)
      .flatMap(plugin => pluginHooks(plugin, this.report))
  }

  #result(): LoadResult {
    const { plugins, problems, places, absent } = this.registry.known
    const counts = new Map<string | undefined, number>()
    const commands = [...onceEach(this.#found.commands), ...plugins.flatMap(plugin => plugin.commands)]
    for (const command of commands) {
      const { pluginName } = command.type === 'prompt' ? command : {}
      counts.set(pluginName, (counts.get(pluginName) ?? 0) + 1)
    }
    const all: readonly Diagnostic[] = [...problems, ...plugins.flatMap(missingPaths), ...plugins.flatMap(otherFiles)]
    const looked = plugins.map(plugin => this.#placeOf(plugin, counts.get(plugin.name) ?? 0))
    return loadResult({
      commands,
      errors: [
        ...all.filter(({ severity }) => severity === 'error'),
        ...looked.flatMap(({ problem }) => problem ?? []),
        ...toldOnce(this.#found.errors).map(error => copyInside('plugin', error)),
      ],
      warnings: [...all.filter(({ severity }) => severity !== 'error'), ...toldOnce(this.#found.warnings)],
      places: [...looked.map(({ place }) => place), ...plugins.flatMap(unusedServers), ...places],
      // Also of disabled plugins: a rule about one must not apply to something that takes its name meanwhile.
      qualifiers: [...plugins.map(({ name }) => name), ...absent.keys()],
    })
  }

  /** Returns the place of a plugin. It is one place, regardless of the number of its folders. */
  #placeOf(
    { path, roots, installed }: Plugin,
    found: number,
  ): { readonly place: Place; readonly problem?: Diagnostic } {
    if (found > 0) return { place: { path, state: 'read', found } }
    // It was removed between reading its manifest and reading its folders.
    if (statOf(path) === undefined)
      return { place: { path, state: 'missing', found }, problem: goneProblem(path, installed) }
    const isUnreadable = this.#found.places.some(
      place => place.state === 'unreadable' && roots.some(root => root.path === place.path),
    )
    return { place: { path, state: isUnreadable ? 'unreadable' : 'read', found } }
  }
}

/**
 * Removes duplicates of a file that a plugin reaches by two of its folders. The command with the shorter name is kept,
 * in the place of the first.
 */
function onceEach(commands: readonly Command[]): readonly Command[] {
  const byFile = new Map<string, Command>()
  const keyOf = (command: Command): string | undefined =>
    command.type === 'prompt' && command.file !== undefined
      ? `${command.pluginName ?? ''}\0${command.file.realPath}`
      : undefined
  for (const command of commands) {
    const key = keyOf(command)
    const known = key === undefined ? undefined : byFile.get(key)
    if (key !== undefined && (known === undefined || depthOf(command) < depthOf(known))) byFile.set(key, command)
  }
  const given = new Set<string>()
  return commands.flatMap(command => {
    const key = keyOf(command)
    if (key === undefined) return command
    if (given.has(key)) return []
    given.add(key)
    return byFile.get(key) ?? command
  })
}

/** Removes duplicate problems of such a file. */
function toldOnce(problems: readonly Diagnostic[]): readonly Diagnostic[] {
  return [
    ...new Map(
      problems.map(one => [JSON.stringify([one.path, one.line, one.column, one.code, one.message]), one]),
    ).values(),
  ]
}

const depthOf = ({ name }: Command): number => name.split(':').length

/** Returns the place of servers that are not named with the plugin, so they are not used. */
function unusedServers({ path, otherServers }: Plugin): readonly Place[] {
  if (otherServers.length === 0) return []
  const names = otherServers.map(name => JSON.stringify(name)).join(', ')
  return [
    {
      path: `${path}/${standardServers}`,
      state: 'skipped',
      found: 0,
      note: `Its ${otherServers.length === 1 ? 'server is' : 'servers are'} not used unless named under "servers", where the plugin is named: ${names}.`,
    },
  ]
}

/** Returns a warning for each path in a manifest that does not exist. */
function missingPaths({ name, named }: Plugin): readonly Diagnostic[] {
  return named
    .filter(({ path }) => statOf(path) === undefined)
    .map(({ path, place }): Diagnostic => ({
      severity: 'warning',
      type: 'validation',
      code: 'missing-plugin-path',
      ...place,
      message: `The plugin "${name}" names ${path}, but nothing is there.`,
      hint: 'Add the file or folder, or remove its path from the manifest.',
    }))
}

/**
 * Returns a warning for each path among a manifest's skills that is a file of another kind. Otherwise every named file
 * would be read as a skill.
 */
function otherFiles({ name, manifest }: Plugin): readonly Diagnostic[] {
  return manifest.skills
    .filter(({ path }) => isOtherFile(path))
    .map(({ path, place }): Diagnostic => ({
      severity: 'warning',
      type: 'validation',
      code: 'plugin-path-file',
      ...place,
      message: `The plugin "${name}" lists the file ${path} as a skill, but a skill file has to be called SKILL.md. The file is not loaded.`,
      hint: 'List the folder of a SKILL.md, or list this file under "commands".',
    }))
}
