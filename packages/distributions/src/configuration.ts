import { pathToFileURL } from 'node:url'
import { dirname } from 'node:path'
import { checkOptions, locationOf, messageOf, type Diagnostic, type Plugin } from '@skills/core'
import { mostProjectRules } from '@skills/permission-rules/internal'
import type { PermissionRulesOptions } from '@skills/permission-rules'
import { Agreements, type ConsentItem } from '@skills/trust/internal'
import { addressOf } from './module-graph.js'
import { checkedData, itemsOf, problemOf, readConfiguration, type Unread } from './read-configuration.js'
import { checkedProviders } from './checked-providers.js'
import { findConfiguration, type ConfigurationFile, type ConfigurationHost } from './find-configuration.js'
import { joined, optionsOf } from './configuration-options.js'
import { unagreedDiagnostics, type JudgedItem } from './unagreed.js'
import type { ServerFiles } from './server-files.js'
import { isKnown, type DistributionName, type LoadedDistribution } from './distribution-named.js'
import { ModuleLoader } from './module-loader.js'
import {
  importDistribution,
  readDistribution,
  type ImportMeans,
  type LoadDistributionOptions,
  type ReadDistribution,
} from './own-distribution.js'
import type { ConfigurationData, ConfigurationOptions } from './configuration-schema.js'

export { configurationKeys, type ConfigurationData } from './configuration-schema.js'
export { joined as joinedOptions } from './configuration-options.js'
export { loadDistribution } from './own-distribution.js'
export { consentItems, type JudgedItem } from './consent.js'

/** Content of configuration files as options of a distribution. */
export interface Configuration {
  readonly options: ConfigurationOptions
  /**
   * Distribution for these options, to be passed to `distributionNamed()`. The project's file takes precedence over the
   * user's. Undefined if neither names one that may be used.
   */
  readonly distribution?: DistributionName | LoadedDistribution | undefined
  /** Agents that the skills are meant for, for `agentsNamed()`. The project's file takes precedence over the user's. */
  readonly agents?: readonly string[] | undefined
  /**
   * Files that were found. `untrusted`: the file is part of a project that is not trusted, or is code that no one
   * agreed to. Only its deny rules apply.
   */
  readonly files: readonly (ConfigurationFile & {
    readonly state: 'loaded' | 'untrusted' | 'failed'
    readonly hasProviders?: boolean
  })[]
  /**
   * Entries of a trusted project's file that have no effect, because the person has not agreed to their current form.
   */
  readonly unagreed: readonly JudgedItem[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Options of `loadConfiguration()`. `state` stores the trusted folders, and the items in them that a person agreed to.
 */
export type LoadConfigurationOptions = Omit<LoadDistributionOptions, 'folder'>

interface Loaded {
  readonly state: Configuration['files'][number]['state']
  readonly data?: ConfigurationData | undefined
  readonly distribution?: Configuration['distribution']
  readonly plugins?: readonly Plugin[] | undefined
  readonly unagreed?: readonly JudgedItem[] | undefined
  readonly serverFiles?: ServerFiles | undefined
  readonly pluginTexts?: ReadonlyMap<string, string> | undefined
  readonly diagnostics: readonly Diagnostic[]
  /** For a failed file: true if it surely has no rules. */
  readonly hasNoRules?: boolean | undefined
}

interface Closed extends Loaded {
  readonly unreadable?: NonNullable<PermissionRulesOptions['unreadable']>[number] | undefined
}

/**
 * Reads the configuration files of a user and of their project. An entry of a project's file has an effect only if the
 * person agreed to it when they trusted the folder. Entries are compared with the agreement by digest. Code is imported
 * from exactly the text that the person agreed to. In a folder that is not trusted, no code runs, and only the deny
 * rules of a JSON file apply.
 *
 * A file with a problem is reported in a diagnostic and has no effect. If the file may contain rules, a person is then
 * asked for every permission (`rules.unreadable`). Rejects if the state rejects. See docs/reference/distributions.md,
 * "Configuration".
 */
export async function loadConfiguration(
  host: ConfigurationHost,
  options: LoadConfigurationOptions,
): Promise<Configuration> {
  checkOptions<LoadConfigurationOptions>('loadConfiguration()', options, {
    state: 1,
    signal: 1,
    baseNamed: 1,
    importModule: 1,
    limitMs: 1,
  })
  const { state, signal, baseNamed, ...how } = options
  const means = { host, loader: new ModuleLoader(host, how), baseNamed }
  const loaded: (Closed & { readonly file: ConfigurationFile })[] = []
  for (const file of findConfiguration(host)) {
    const one =
      file.from === 'user'
        ? await loadOwn(file, means)
        : await loadProject(file, await Agreements.read(state, host, { signal }), means)
    loaded.push({ file, ...closedOf(one) })
  }
  return {
    options: loaded.reduce<ConfigurationOptions>(
      (all, { file, data, plugins, serverFiles, pluginTexts, unreadable }) =>
        joined(
          joined(all, optionsOf(file, data ?? {}, plugins, { serverFiles, pluginTexts })),
          unreadable === undefined ? {} : { rules: { unreadable: [unreadable] } },
        ),
      {},
    ),
    files: loaded.map(({ file, state: word, plugins = [] }) => ({
      ...file,
      state: word,
      ...(plugins.length > 0 && { hasProviders: true }),
    })),
    unagreed: loaded.flatMap(({ unagreed = [] }) => unagreed),
    diagnostics: loaded.flatMap(({ file, diagnostics }) => [...diagnostics, ...doubled(file)]),
    distribution: loaded.findLast(({ distribution }) => distribution !== undefined)?.distribution,
    agents: loaded.findLast(({ data }) => data?.agents !== undefined)?.data?.agents,
  }
}

/** Makes every permission a question if the file failed, because it may hold deny rules. */
function closedOf(loaded: Loaded): Closed {
  const { state, diagnostics, hasNoRules } = loaded
  const [first] = diagnostics
  if (state !== 'failed' || hasNoRules === true || first === undefined) return loaded
  return {
    ...loaded,
    diagnostics: diagnostics.map(one => ({
      ...one,
      hint: 'Correct this file. Until then the file is ignored, and you are asked about every call, even if other rules allow it.',
    })),
    unreadable: {
      source: first.path ?? '',
      problem: `the rules of ${locationOf(first)} cannot be read: ${first.message.replace(/\.$/, '')}`,
    },
  }
}

async function loadOwn(file: ConfigurationFile, means: ImportMeans): Promise<Loaded> {
  const { host } = means
  const loaded = file.path.endsWith('.json')
    ? await loadOwnData(file, host)
    : await loadCode(file.path, pathToFileURL(file.path).href, means)
  const name = loaded.data?.distribution
  const read =
    name === undefined ? undefined : await readDistribution(host, { name, folder: dirname(file.path), from: 'user' })
  return withDistribution(loaded, file, read, means)
}

async function loadOwnData(file: ConfigurationFile, host: ConfigurationHost): Promise<Loaded> {
  const read = await readConfiguration(file, host)
  if ('problem' in read) return failed(read)
  return { state: 'loaded', data: 'data' in read ? read.data : {}, diagnostics: 'data' in read ? read.diagnostics : [] }
}

/**
 * Adds the distribution that a loaded configuration names.
 * @param read its module, if it is one: agreed to completely, or the user's own
 */
async function withDistribution(
  loaded: Loaded,
  { path }: ConfigurationFile,
  read: ReadDistribution | undefined,
  means: ImportMeans,
): Promise<Loaded> {
  const name = loaded.data?.distribution
  if (name === undefined) return loaded
  if (isKnown(name)) return { ...loaded, distribution: name }
  const made = await importDistribution(name, read ?? { problem: codeNamesCode }, means)
  return 'problem' in made
    ? failed({ problem: problemOf(path, made.problem, 'distribution') })
    : { ...loaded, distribution: made }
}

/** Refusal: a name that appears only while code runs cannot be shown to a person before. */
const codeNamesCode =
  'Code of a project cannot choose a module as the distribution. Name the module in skills.config.json, so that a person sees it before it runs.'

async function loadProject(file: ConfigurationFile, agreements: Agreements, means: ImportMeans): Promise<Loaded> {
  const { host } = means
  const isTrusted = agreements.isTrusted(dirname(file.path))
  // As long as the code does not run, its imports do not matter.
  if (!isTrusted && !file.path.endsWith('.json')) return untrusted(file)
  const read = await readConfiguration(file, host)
  if ('problem' in read) return failed(read)
  if (!isTrusted && 'data' in read) {
    const { deny = [] } = read.data.rules ?? {}
    if (deny.length > mostProjectRules)
      return failed({
        problem: problemOf(
          file.path,
          `The configuration has ${deny.length} deny rules; an untrusted configuration may have at most ${mostProjectRules}.`,
          'rules.deny',
        ),
      })
    const { agents } = read.data
    return { ...untrusted(file), data: { ...(deny.length > 0 && { rules: { deny } }), ...(agents && { agents }) } }
  }
  const { items: found, keeping, serverFiles, pluginTexts, distribution } = await itemsOf(read, file, host)
  if (distribution !== undefined && 'problem' in distribution)
    return failed({ problem: problemOf(file.path, distribution.problem, 'distribution') })
  const items = found.map(item => ({ ...item, state: agreements.stateOf(item) }))
  const unagreed = items.filter(one => one.state !== 'agreed')
  const about = unagreedDiagnostics(file.path, 'configuration', unagreed, agreements.isUnlisted(dirname(file.path)))
  if ('data' in read) {
    const agreed = new Set(items.filter(one => one.state === 'agreed').map(textOfItem))
    const data = keeping(item => agreed.has(textOfItem(item)))
    const loaded: Loaded = {
      state: 'loaded',
      data,
      unagreed,
      serverFiles,
      pluginTexts,
      diagnostics: [...read.diagnostics, ...about],
    }
    return unagreed.some(({ kind }) => kind === 'module') ? loaded : withDistribution(loaded, file, distribution, means)
  }
  if (unagreed.length > 0 || !('modules' in read)) return { state: 'untrusted', unagreed, diagnostics: about }
  const address = addressOf(read.modules)
  if ('url' in address) return withDistribution(await loadCode(file.path, address.url, means), file, undefined, means)
  return failed({ problem: problemOf(file.path, `${address.path} ${address.problem}`) })
}

function textOfItem({ kind, label, digest }: ConsentItem): string {
  return JSON.stringify([kind, label, digest])
}

function failed({ problem, hasNoRules }: Unread): Loaded {
  return { state: 'failed', hasNoRules, diagnostics: [problem] }
}

async function loadCode(path: string, url: string, { host, loader }: ImportMeans): Promise<Loaded> {
  try {
    const value = await loader.load(url, async ({ default: given }) =>
      typeof given === 'function' ? ((await given(host)) as unknown) : given,
    )
    if (value === undefined) return failed({ problem: problemOf(path, 'The configuration has no default export.') })
    const checked = checkedData(value, path, undefined)
    if ('problem' in checked) return failed(checked)
    const plugins = checkedProviders(checked.data.providers)
    if ('problem' in plugins) return failed({ problem: problemOf(path, plugins.problem, plugins.field) })
    return { state: 'loaded', ...checked, ...plugins }
  } catch (error) {
    return failed({ problem: problemOf(path, `The configuration could not be loaded: ${messageOf(error)}`) })
  }
}

function untrusted({ path }: ConfigurationFile): Loaded {
  return {
    state: 'untrusted',
    diagnostics: [
      {
        severity: 'warning',
        type: 'validation',
        code: 'untrusted-configuration',
        path,
        message: 'The configuration is ignored, because its folder is not trusted.',
        hint: 'Look at the configuration, then trust the folder.',
      },
    ],
  }
}

function doubled({ path, besides }: ConfigurationFile): readonly Diagnostic[] {
  return besides === undefined
    ? []
    : [
        {
          severity: 'warning',
          type: 'validation',
          code: 'second-configuration',
          path: besides,
          message: `${besides} is ignored, because ${path} exists.`,
          hint: 'Keep only one of the two.',
        },
      ]
}
