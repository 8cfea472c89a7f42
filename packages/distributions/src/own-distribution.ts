import { pathToFileURL } from 'node:url'
import { checkOptions, messageOf, SkillsError } from '@skills/core'
import { Agreements, consentItem, type ConsentItem } from '@skills/trust/internal'
import { distributionNamed, isKnown, noDistribution, type LoadedDistribution } from './distribution-named.js'
import type { MakeDistribution } from './distribution.js'
import { placeOfDistribution, type NamedDistribution } from './distribution-place.js'
import { addressOf, readModuleGraph, type ModuleFile } from './module-graph.js'
import { ModuleLoader, type LoadModuleOptions } from './module-loader.js'
import type { ConfigurationHost } from './find-configuration.js'
import type { Distribution, DistributionOptions } from './distribution.js'
import type { JudgedItem } from './unagreed.js'
import type { State } from '@skills/state'

/**
 * Function that a module with a distribution exports, as default or as `distribution`.
 * @param options options of the host; an option that the function does not pass on has no effect
 * @param base distribution that the module names as its `base`; default `standard`
 */
export type DistributionFunction = (options: DistributionOptions, base: MakeDistribution) => Distribution

export interface LoadDistributionOptions extends LoadModuleOptions {
  /** State that stores which folders are trusted and what was agreed to in them. */
  readonly state: State
  readonly signal?: AbortSignal | undefined
  /**
   * Absolute folder from which a relative path is resolved. Default: the working folder, from which a package is
   * searched upward.
   */
  readonly folder?: string | undefined
  /** Returns the distribution that a module names as its `base`. Default: `distributionNamed`. */
  readonly baseNamed?: ((name: string) => Promise<MakeDistribution>) | undefined
}

/** Distribution that was not imported, because the person has not agreed to the current form of all its files. */
export interface UnagreedDistribution {
  /** Real path of the folder that has to be trusted. */
  readonly folder: string
  readonly unagreed: readonly JudgedItem[]
}

/** Facts about a module that are known without running it. */
export type ReadDistribution =
  | { readonly url: string; readonly modules?: undefined }
  | { readonly modules: readonly ModuleFile[]; readonly within: string }
  | { readonly problem: string }

/**
 * Loads a distribution from a module or an installed package. A module outside the user's configuration folder is
 * imported only if a person agreed to it and to every file it imports, and then from exactly the text that was agreed
 * to. Until the person agrees, the result lists the files without agreement.
 *
 * Rejects with `E_INVALID_OPTION` if there is no module, if its code cannot be tied to a fixed text, if it fails, or if
 * it exports no distribution. Rejects if the state rejects. See docs/reference/distributions.md, "A distribution of
 * your own".
 * @param name path, or name of a package
 */
export async function loadDistribution(
  name: string,
  host: ConfigurationHost,
  options: LoadDistributionOptions,
): Promise<LoadedDistribution | UnagreedDistribution> {
  checkOptions<LoadDistributionOptions>('loadDistribution()', options, {
    state: 1,
    signal: 1,
    folder: 1,
    baseNamed: 1,
    importModule: 1,
    limitMs: 1,
  })
  const { state, signal, folder = host.cwd, baseNamed, ...how } = options
  const read = await readDistribution(host, { name, folder, from: 'command-line' })
  if (read === undefined && !isKnown(name))
    throw noDistribution(name, ' For your own distribution, give a path such as ./acme.js, or an installed package.')
  if (read === undefined) return { name, make: await distributionNamed(name) }
  if ('modules' in read && read.modules !== undefined) {
    const agreements = await Agreements.read(state, host, { signal })
    const items = moduleItems(read.modules).map(item => ({ ...item, state: agreements.stateOf(item) }))
    const unagreed = items.filter(one => one.state !== 'agreed')
    if (unagreed.length > 0) return { folder: read.within, unagreed }
  }
  const loaded = await importDistribution(name, read, { host, loader: new ModuleLoader(host, how), baseNamed })
  if ('problem' in loaded) throw new SkillsError('E_INVALID_OPTION', loaded.problem, { cause: loaded.cause })
  return loaded
}

/**
 * Finds and reads the module of a distribution. Undefined if the name is a distribution of this project, or does not
 * exist.
 */
export async function readDistribution(
  host: ConfigurationHost,
  named: NamedDistribution,
): Promise<ReadDistribution | undefined> {
  const { name } = named
  const place = isKnown(name) ? undefined : placeOfDistribution(host, named)
  if (place === undefined) return undefined
  if ('problem' in place) return { problem: `The distribution "${name}" cannot be used: ${place.problem}` }
  const { path, within } = place
  if (within === undefined) return { url: pathToFileURL(path).href }
  const modules = await readModuleGraph(path, within)
  return 'problem' in modules ? { problem: problemOf(name, modules) } : { modules, within }
}

/** Returns the items to agree to before a module is imported: the module, and each file that it imports. */
export function moduleItems(modules: readonly ModuleFile[]): readonly ConsentItem[] {
  return modules.map(({ path, label, text }) => consentItem({ kind: 'module', label, path, text }))
}

/** Values needed to import a module. */
export interface ImportMeans extends Pick<LoadDistributionOptions, 'baseNamed'> {
  readonly host: ConfigurationHost
  readonly loader: ModuleLoader
}

/**
 * Runs a module that a person agreed to, or that is the user's own. Makes a distribution with it to check its export.
 */
export async function importDistribution(
  name: string,
  read: ReadDistribution,
  { host, loader, baseNamed = distributionNamed }: ImportMeans,
): Promise<LoadedDistribution | { readonly problem: string; readonly cause?: unknown }> {
  if ('problem' in read) return read
  const address = read.modules === undefined ? read : addressOf(read.modules)
  if ('problem' in address) return { problem: problemOf(name, address) }
  try {
    const loaded = await loader.load(
      address.url,
      async (exported): Promise<LoadedDistribution | { readonly problem: string }> => {
        const { default: given, distribution = given, base = 'standard' } = exported
        if (typeof distribution !== 'function') return { problem: noFunction(name, exported) }
        if (typeof base !== 'string')
          return { problem: `The "base" that the distribution "${name}" exports must be the name of a distribution.` }
        const adjusted = await baseNamed(base)
        return { name, make: options => checked(name, () => (distribution as DistributionFunction)(options, adjusted)) }
      },
    )
    return 'make' in loaded ? tried(loaded, host) : loaded
  } catch (error) {
    return { problem: `The distribution "${name}" could not be loaded: ${messageOf(error)}`, cause: error }
  }
}

/** Makes the distribution once, so that its faults are reported here, and not in every program that uses it. */
function tried(
  loaded: LoadedDistribution,
  host: ConfigurationHost,
): LoadedDistribution | { readonly problem: string; readonly cause: unknown } {
  try {
    loaded.make({ host, onDiagnostic: () => {} })
    return loaded
  } catch (error) {
    return { problem: messageOf(error), cause: error }
  }
}

/** Properties that every program relies on in a distribution. */
const parts = [
  'plugins',
  'tool',
  'port',
  'invoker',
  'visibility',
  'inline',
  'shell',
  'fork',
] as const satisfies readonly (keyof Distribution)[]

/** Makes and checks a distribution. It keeps the given name, because its own might be the name of one of ours. */
function checked(name: string, make: () => Distribution): Distribution {
  let made: unknown
  try {
    made = make()
  } catch (error) {
    throw new SkillsError('E_INVALID_OPTION', `The distribution "${name}" failed: ${messageOf(error)}`, {
      cause: error,
    })
  }
  const given: Readonly<Record<string, unknown>> = typeof made === 'object' && made !== null ? { ...made } : {}
  const missing = parts.filter(
    part => given[part] !== false && (typeof given[part] !== 'object' || given[part] === null),
  )
  if (missing.length === 0) return { ...(made as Distribution), name }
  throw new SkillsError(
    'E_INVALID_OPTION',
    `The distribution "${name}" gives ${wordFor(made)} without ${missing.map(part => `"${part}"`).join(', ')}.`,
    {
      hint: 'The function has to return a distribution: call its second argument with the options, and change the result.',
    },
  )
}

function noFunction(name: string, exported: Readonly<Record<string, unknown>>): string {
  const found = Object.entries(exported).map(([key, value]) => `${key} (${wordFor(value)})`)
  return `The distribution "${name}" exports ${found.length === 0 ? 'nothing' : found.join(', ')}. It has to export a function, as default or as "distribution": (options, base) => base(options).`
}

function wordFor(value: unknown): string {
  if (value instanceof Promise) return 'a promise'
  if (value === null || value === undefined) return String(value)
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function problemOf(
  name: string,
  { path, line, problem }: { readonly path: string; readonly line?: number | undefined; readonly problem: string },
): string {
  return `The distribution "${name}" cannot be used: ${path}${line === undefined ? '' : `:${line}`} ${problem}`
}
