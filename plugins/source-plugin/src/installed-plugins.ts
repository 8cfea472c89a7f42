import { isJsonObject, plainFolder, realFolders, slashes, type JsonFile } from '@skills/files/internal'
import { readJsonFile } from '@skills/files'
import { isAbsolute, win32 } from 'node:path'
import { lineOf } from './line-of.js'
import { entryNamed, marketplaceFile, type ReadMarketplace } from './marketplace.js'
import type { Diagnostic } from '@skills/core'
import type { InstalledPlugins, NamedBy, PluginConfig } from './plugin-options.js'
import type { MarketplaceEntry, NamedPlugin } from './named-plugin.js'

/** Plugins that Claude Code has installed, and the files that say so. */
export interface ReadInstalled extends ReadMarketplace {
  /** Files on which the result depends, whether they exist or not. */
  readonly files: readonly string[]
}

/** File in which Claude Code records what it has installed. */
export function installedFile({ folder }: Pick<InstalledPlugins, 'folder'>): string {
  return `${folder}/installed_plugins.json`
}

/**
 * Reads which plugins Claude Code has installed, and which of them its settings switch on. Nothing of a plugin itself is
 * read. An invalid record does not affect the others. See docs/reference/plugins.md, "Plugins".
 */
export async function readInstalled(given: InstalledPlugins): Promise<ReadInstalled> {
  return new InstalledReader(given).read()
}

/** Record of one installation. */
interface Installation {
  readonly scope: string
  readonly path: string
  readonly project: string | undefined
}

interface Settings {
  readonly path: string
  readonly from: NamedBy
  readonly data: Readonly<Record<string, unknown>>
}

class InstalledReader {
  readonly #problems: Diagnostic[] = []
  readonly #files: string[] = []
  readonly #absent = new Map<string, string>()
  readonly #markets = new Map<string, JsonFile | undefined>()

  constructor(private readonly given: InstalledPlugins) {}

  async read(): Promise<ReadInstalled> {
    const file = this.#json(installedFile(this.given), 'invalid-installed-plugins', 'none of these plugins is loaded')
    const plugins: NamedPlugin[] = []
    if (file !== undefined) {
      const settings = this.given.settings.flatMap(({ path, from }): readonly Settings[] => {
        const read = this.#json(path, 'invalid-settings', 'its "enabledPlugins" are ignored')
        return read === undefined ? [] : [{ path, from, data: read.data }]
      })
      const known = this.#json(
        `${this.given.folder}/known_marketplaces.json`,
        'invalid-installed-plugins',
        'none of these plugins is loaded',
      )
      const records = isJsonObject(file.data['plugins']) ? file.data['plugins'] : {}
      for (const id of inOrder(Object.keys(records), settings)) {
        const plugin = await this.#plugin(id, this.#installations(file, id, records[id]), settings, known?.data)
        if (plugin !== undefined) plugins.push(plugin)
      }
    }
    return {
      plugins,
      problems: this.#problems,
      places: [],
      absent: this.#absent,
      file: installedFile(this.given),
      files: this.#files,
    }
  }

  #json(path: string, code: string, until: string): JsonFile | undefined {
    this.#files.push(path)
    const file = readJsonFile(path, { code, what: `The file ${path}` })
    if (file === undefined || !('severity' in file)) return file
    this.#problems.push({ ...file, hint: `Correct this file. Until then ${until}.` })
    return undefined
  }

  /** Returns the valid installations of a plugin. Version 1 of the file has one object in place of a list. */
  #installations(file: JsonFile, id: string, record: unknown): readonly Installation[] {
    return [record].flat().flatMap((one): readonly Installation[] => {
      const { scope = 'user', installPath, projectPath } = isJsonObject(one) ? one : {}
      if (typeof scope === 'string' && typeof installPath === 'string' && isFull(installPath))
        return [
          {
            scope,
            path: plainFolder(slashes(installPath)),
            project: typeof projectPath === 'string' ? projectPath : undefined,
          },
        ]
      this.#problems.push({
        severity: 'warning',
        type: 'validation',
        code: 'invalid-installed-plugins',
        path: file.path,
        field: `plugins.${id}`,
        ...lineOf(file, ['plugins', id]),
        message: `${file.path} records the plugin "${id}" without an absolute "installPath", so it is not loaded.`,
        hint: 'Install the plugin again in Claude Code.',
      })
      return []
    })
  }

  async #plugin(
    id: string,
    installations: readonly Installation[],
    settings: readonly Settings[],
    known: Readonly<Record<string, unknown>> | undefined,
  ): Promise<NamedPlugin | undefined> {
    const [first] = installations
    if (first === undefined) return undefined
    const [name, market] = [id.slice(0, id.lastIndexOf('@')), id.slice(id.lastIndexOf('@') + 1)]
    const installation = installations.find(one => this.#isHere(one))
    if (installation === undefined) {
      this.#absent.set(
        name,
        `is installed by Claude Code for another project, ${first.project ?? 'which is not named'}`,
      )
      return undefined
    }
    const said = settings.find(({ data }) => wordFor(data, id) !== undefined)
    if (said === undefined || wordFor(said.data, id) !== true) {
      this.#absent.set(
        name,
        `is installed by Claude Code, but ${said === undefined ? 'no settings file switches it on' : `"enabledPlugins" in ${said.path} switches it off`}`,
      )
      return undefined
    }
    // As in Claude Code, whose list of marketplaces may be absent.
    if (known?.[market] === undefined) {
      this.#absent.set(
        name,
        `is installed by Claude Code from the marketplace "${market}", which its known_marketplaces.json does not list`,
      )
      return undefined
    }
    const { folder } = this.given
    return {
      path: installation.path,
      from: consentFor(id, installation, said, settings),
      config: configFor(id, settings),
      entry: await this.#entry(name, market, known),
      within: `${folder}/cache`,
      installed: { id, name, settings: said.path },
    }
  }

  /** True if an installation counts here: for every project, or for this one. */
  #isHere({ scope, project }: Installation): boolean {
    if (scope !== 'project' && scope !== 'local') return true
    const [real] = project === undefined ? [] : realFolders([project])
    return real !== undefined && realFolders(this.given.project).includes(real)
  }

  /**
   * Returns the plugin's entry in the copy of its marketplace that Claude Code keeps. A copy outside of the plugins
   * folder is not read.
   */
  async #entry(
    name: string,
    market: string,
    known: Readonly<Record<string, unknown>> | undefined,
  ): Promise<MarketplaceEntry | undefined> {
    if (!this.#markets.has(market)) this.#markets.set(market, this.#market(market, known?.[market]))
    const file = this.#markets.get(market)
    return file === undefined ? undefined : entryNamed(name, file)
  }

  #market(market: string, known: unknown): JsonFile | undefined {
    const { folder } = this.given
    const given = isJsonObject(known) ? known['installLocation'] : undefined
    const place = typeof given === 'string' && isFull(given) ? slashes(given) : `${folder}/marketplaces/${market}`
    const path = marketplaceFile(plainFolder(place))
    this.#files.push(path)
    const [within] = realFolders([folder])
    const file = readJsonFile(path, { code: 'invalid-marketplace', what: 'The marketplace file', within })
    if (file === undefined || !('severity' in file)) return file
    if (file.code === 'invalid-marketplace') this.#problems.push({ ...file, severity: 'warning' })
    return undefined
  }
}

/** Returns the ids in the order of the settings that name them, the user's first, as Claude Code does; then the others. */
function inOrder(ids: readonly string[], settings: readonly Settings[]): readonly string[] {
  const named = settings.toReversed().flatMap(({ data }) => Object.keys(enabledIn(data)))
  return [...new Set([...named.filter(id => ids.includes(id)), ...ids])]
}

function enabledIn({ enabledPlugins }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return isJsonObject(enabledPlugins) ? enabledPlugins : {}
}

/** Returns the value for a plugin in a settings file. Undefined if the file does not name the plugin. */
function wordFor(data: Readonly<Record<string, unknown>>, id: string): unknown {
  const enabled = enabledIn(data)
  return Object.hasOwn(enabled, id) ? enabled[id] : undefined
}

/**
 * Returns who consented to a plugin. A project that switches on what the user has installed for themselves, but not
 * switched on, does not make it the user's choice here.
 */
function consentFor(id: string, { scope }: Installation, said: Settings, settings: readonly Settings[]): NamedBy {
  if (said.from === 'managed') return 'managed'
  const isOwn = scope === 'project' || scope === 'local'
  return isOwn || settings.some(({ from, data }) => from === 'user' && wordFor(data, id) === true) ? 'user' : 'project'
}

/** Returns the values that the user and the administrator set for a plugin. Those in a project's settings do not count. */
function configFor(id: string, settings: readonly Settings[]): PluginConfig {
  return Object.fromEntries(
    settings.toReversed().flatMap(({ from, data }) => {
      const { pluginConfigs } = data
      const own = from === 'project' || !isJsonObject(pluginConfigs) ? undefined : pluginConfigs[id]
      const options = isJsonObject(own) ? own['options'] : undefined
      return isJsonObject(options) ? Object.entries(options).filter(isValue) : []
    }),
  )
}

function isValue(one: [string, unknown]): one is [string, string | number | boolean] {
  return ['string', 'number', 'boolean'].includes(typeof one[1])
}

function isFull(path: string): boolean {
  return isAbsolute(path) || win32.isAbsolute(path)
}
