import { isDeepStrictEqual } from 'node:util'
import { resolve } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { abortError, SkillsError, type Diagnostic, type Host, type Place } from '@skills/core'
import { findPackage, isInside, plainFolder, realFolders, slashes, type Stamp } from '@skills/files/internal'
import { stampOf } from '@skills/files'
import { stateFolderOf } from '@skills/state'
import { choosePlugins, type Candidate } from './choose-plugins.js'
import { marketplaceFile, readMarketplace, type ReadMarketplace } from './marketplace.js'
import { definingFiles, readPlugin, type FoundPlugin } from './read-plugin.js'
import { Plugin } from './plugin.js'
import type { NamedPlugin } from './named-plugin.js'
import { installedFile, type ReadInstalled } from './installed-plugins.js'
import type { PluginMarketplace, PluginSourceOptions } from './plugin-options.js'

/** Known state of the plugins, without the content of their folders. */
export interface KnownPlugins {
  /** Plugins that are loaded, in order of precedence. */
  readonly plugins: readonly Plugin[]
  readonly problems: readonly Diagnostic[]
  /** Places of plugins that are not loaded. */
  readonly places: readonly Place[]
  /** Reasons why a plugin of this name is not loaded, a sentence each. */
  readonly absent: ReadonlyMap<string, readonly AbsentPlugin[]>
}

export interface AbsentPlugin {
  readonly path: string
  readonly text: string
}

interface Reading {
  readonly named: NamedPlugin
  readonly stamp: Stamp
  readonly found: FoundPlugin
  /** Undefined if it cannot be loaded, or is disabled. */
  readonly plugin: Plugin | undefined
}

interface InstalledReading {
  readonly stamp: Stamp
  readonly read: ReadInstalled
}

interface MarketplaceReading {
  readonly stamp: Stamp
  readonly read: ReadMarketplace
}

const none: KnownPlugins = { plugins: [], problems: [], places: [], absent: new Map() }
/** Milliseconds of uninterrupted work. */
const sliceMs = 6

/** Plugins of the configuration. A plugin is read again only if its files changed. */
export class PluginRegistry {
  readonly #stateFolder: string | undefined
  readonly #folders: readonly NamedPlugin[]
  readonly #marketplaces: readonly PluginMarketplace[]
  #readings: ReadonlyMap<string, Reading> = new Map()
  #marketplaceReadings: readonly (MarketplaceReading | undefined)[] = []
  #installed: InstalledReading | undefined
  #known = none

  constructor(
    private readonly options: PluginSourceOptions,
    private readonly host: Host,
  ) {
    this.#stateFolder = options.stateFolder === undefined ? stateFolderIn(host) : plainFolder(options.stateFolder)
    const at = (path: string): string => plainFolder(resolve(host.cwd, path))
    this.#folders = (options.plugins ?? [])
      .map(given => (typeof given === 'string' ? { path: given } : given))
      .map(({ path, from = 'host', enabled = true, config = {}, servers, agreedTo }) => ({
        path: at(path),
        from,
        config,
        servers,
        agreedTo,
        off: enabled ? undefined : `The ${from} switched it off.`,
      }))
    this.#marketplaces = (options.marketplaces ?? []).map(given =>
      typeof given === 'string' ? { path: at(given) } : { ...given, path: at(given.path) },
    )
  }

  get known(): KnownPlugins {
    return this.#known
  }

  /** Returns the files that define plugins and their names. Those of plugins are in hidden folders. */
  watched(): readonly string[] {
    return [
      ...this.#marketplaces.map(({ path }) => marketplaceFile(path)),
      ...(this.options.installed === undefined ? [] : [installedFile(this.options.installed)]),
      ...(this.#installed?.read.files ?? []),
      ...[...this.#readings.values()].flatMap(({ named }) => [named.path, ...definingFiles(named.path)]),
    ]
  }

  /** Makes the next look read everything again. */
  forget(): void {
    this.#readings = new Map()
    this.#marketplaceReadings = []
    this.#installed = undefined
  }

  /**
   * Reads every plugin, or those at, below or above one of `paths`, if they changed. Returns true if anything changed.
   * Rejects with an `AbortError` if the signal aborts; the known state is then kept.
   */
  async look(paths: readonly string[] | undefined, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) throw abortError(signal)
    const concerns = concerned(paths?.map(slashes))
    const marketplaces: MarketplaceReading[] = []
    for (const [at, given] of this.#marketplaces.entries())
      marketplaces.push(await this.#lookAtMarketplace(given, this.#marketplaceReadings[at], concerns))
    const packages = this.#findPackages()
    const given = [...this.#folders, ...packages.plugins, ...marketplaces.flatMap(({ read }) => read.plugins)]
    const installed = await this.#lookAtInstalled(concerns)
    const named = [...given, ...besides(installed?.read.plugins ?? [], given)]
    const readings = new Map<string, Reading>()
    let sliceEnd = performance.now() + sliceMs
    for (const [at, one] of named.entries()) {
      const plain = keyOf(one)
      const key = readings.has(plain) ? `${plain}\0${at}` : plain
      readings.set(key, await this.#lookAt(one, this.#readings.get(key), concerns))
      if (performance.now() < sliceEnd) continue
      await turn()
      if (signal.aborted) throw abortError(signal)
      sliceEnd = performance.now() + sliceMs
    }
    const known = outcome(
      [...readings.values()],
      [...marketplaces.map(({ read }) => read), packages, ...(installed === undefined ? [] : [installed.read])],
    )
    const before = this.#known
    this.#readings = readings
    this.#marketplaceReadings = marketplaces
    this.#installed = installed
    this.#known = known
    return (
      known.plugins.length !== before.plugins.length ||
      known.plugins.some((plugin, at) => plugin !== before.plugins[at]) ||
      !isDeepStrictEqual([known.problems, known.places], [before.problems, before.places])
    )
  }

  async #lookAtMarketplace(
    given: PluginMarketplace,
    known: MarketplaceReading | undefined,
    concerns: Concerns,
  ): Promise<MarketplaceReading> {
    const file = marketplaceFile(given.path)
    if (known !== undefined && !concerns(file)) return known
    const stamp = stampOf([file], this.host.clock.now())
    if (known?.stamp.isSettled === true && known.stamp.text === stamp.text) return known
    return { stamp, read: await readMarketplace(given) }
  }

  async #lookAtInstalled(concerns: Concerns): Promise<InstalledReading | undefined> {
    const { installed: given } = this.options
    if (given === undefined) return undefined
    const known = this.#installed
    const files = known?.read.files ?? [installedFile(given)]
    if (known !== undefined && !files.some(concerns)) return known
    const now = this.host.clock.now()
    const stamp = stampOf(files, now)
    if (known?.stamp.isSettled === true && known.stamp.text === stamp.text) return known
    const read = await (await import('./installed-plugins.js')).readInstalled(given)
    // A change while the files are read has to be noticed by the next look, so a longer list is stamped again then.
    const isSame = isDeepStrictEqual(read.files, files)
    return { stamp: isSame ? stamp : { ...stamp, isSettled: false }, read }
  }

  async #lookAt(named: NamedPlugin, known: Reading | undefined, concerns: Concerns): Promise<Reading> {
    const isSame = known !== undefined && isDeepStrictEqual(known.named, named)
    if (isSame && !concerns(named.path)) return known
    const stamp = stampOf([named.path, ...definingFiles(named.path)], this.host.clock.now())
    // The reason why a manifest could not be read may end without a change of the file.
    if (isSame && known.stamp.isSettled && known.stamp.text === stamp.text && known.found.manifest !== undefined)
      return known
    const found = await readPlugin(named, this.options.agentPlugins)
    if (known !== undefined && meansSame(known.named, named) && isDeepStrictEqual(known.found, found))
      return { ...known, named, stamp }
    const { manifest, realPath, names } = found
    const plugin =
      manifest === undefined || named.off !== undefined
        ? undefined
        : new Plugin(manifest, {
            path: named.path,
            realPath,
            from: named.from,
            installed: named.installed,
            config: named.config,
            names,
            layout: this.options.layout,
            first: this.options.first,
            skillNames: this.options.skillNames,
            unknownSettings: this.options.unknownSettings,
            stateFolder: this.#stateFolder,
            servers: named.servers,
            agreedTo: named.agreedTo,
          })
    return { named, stamp, found, plugin }
  }

  /** Finds the packages that configuration names. Other installed packages are ignored. */
  #findPackages(): ReadMarketplace {
    const problems: Diagnostic[] = []
    const places: Place[] = []
    const absent = new Map<string, string>()
    const plugins = (this.options.packages ?? []).flatMap(
      ({ name, folder, from = 'host', enabled = true, config = {}, servers, agreedTo }): readonly NamedPlugin[] => {
        const start = plainFolder(resolve(this.host.cwd, folder))
        const off = enabled ? undefined : `The ${from} switched it off.`
        const path = findPackage(name, start)
        if (path !== undefined) return [{ path, from, config, packageName: name, off, servers, agreedTo }]
        const missing = `${start}/node_modules/${name}`
        places.push({
          path: missing,
          state: off === undefined ? 'missing' : 'skipped',
          found: 0,
          ...(off === undefined ? {} : { note: off }),
        })
        absent.set(name, `is a package that is not installed in ${start} or in a folder above`)
        if (off === undefined) {
          problems.push({
            severity: 'error',
            type: 'io',
            code: 'plugin-not-found',
            path: missing,
            message: `The package "${name}" is not installed in ${start} or in a folder above.`,
            hint: 'Install the package, or remove it from the configuration.',
          })
        }
        return []
      },
    )
    return { plugins, problems, places, absent }
  }
}

type Concerns = (path: string) => boolean

function concerned(paths: readonly string[] | undefined): Concerns {
  return paths === undefined ? () => true : path => paths.some(one => isInside(one, path) || isInside(path, one))
}

/** Returns the installed plugins whose folder no configuration names. */
function besides(installed: readonly NamedPlugin[], given: readonly NamedPlugin[]): readonly NamedPlugin[] {
  if (installed.length === 0 || given.length === 0) return installed
  const real = new Set(realFolders(given.map(({ path }) => path)))
  return installed.filter(({ path }) => !realFolders([path]).some(one => real.has(one)))
}

/** Returns the key of a plugin, regardless of its position in a list. */
function keyOf({ path, packageName = '', entry }: NamedPlugin): string {
  return [path, packageName, entry?.path, entry?.name].join('\0')
}

/** True if a plugin is named in the same way. A marketplace's entry is compared with what was found. */
function meansSame({ entry: _, ...before }: NamedPlugin, { entry: _now, ...now }: NamedPlugin): boolean {
  return isDeepStrictEqual(before, now)
}

function outcome(readings: readonly Reading[], others: readonly ReadMarketplace[]): KnownPlugins {
  const candidates: Candidate[] = []
  const problems: Diagnostic[] = others.flatMap(one => one.problems)
  const places: Place[] = others.flatMap(one => one.places)
  const absent = new Map<string, AbsentPlugin[]>()
  const miss = (name: string, path: string, text: string): unknown =>
    absent.get(name)?.push({ path, text }) ?? absent.set(name, [{ path, text }])
  for (const other of others) {
    for (const [name, because] of other.absent)
      miss(name, other.file ?? other.places[0]?.path ?? '', `The plugin "${name}" ${because}.`)
  }
  for (const { named, found, plugin } of readings) {
    const { name, realPath, state } = found
    if (named.off !== undefined) {
      places.push({ path: named.path, state: 'skipped', found: 0, note: named.off })
      miss(name, named.path, `The plugin "${name}" at ${named.path} is not loaded. ${named.off}`)
      continue
    }
    problems.push(...found.problems, ...(plugin?.problems ?? []))
    if (plugin !== undefined) candidates.push({ plugin, realPath })
    else {
      const reason = found.problems.find(({ severity }) => severity === 'error') ?? found.problems[0]
      places.push({ path: named.path, state, found: 0 })
      miss(
        name,
        named.path,
        `The plugin "${name}" at ${named.path} is not loaded: ${reason?.message ?? 'it could not be read.'}`,
      )
    }
  }
  const chosen = choosePlugins(candidates)
  for (const { path, note = '' } of chosen.places)
    miss(
      candidates.find(({ plugin }) => plugin.path === path)?.plugin.name ?? '',
      path,
      `The plugin at ${path} is not loaded. ${note}`,
    )
  return {
    plugins: chosen.plugins,
    problems: [...problems, ...chosen.problems],
    places: [...places, ...chosen.places],
    absent,
  }
}

/** Returns the state folder. Undefined without a home folder: a plugin that stores something then gets the error. */
function stateFolderIn(host: Host): string | undefined {
  try {
    return stateFolderOf(host)
  } catch (error) {
    if (SkillsError.is(error) && error.code === 'E_STATE') return undefined
    throw error
  }
}
