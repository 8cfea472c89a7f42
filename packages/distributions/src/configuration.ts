import { pathToFileURL } from 'node:url'
import { dirname } from 'node:path'
import { checkOptions, locationOf, messageOf, type Diagnostic, type Plugin } from '@skills/core'
import { mostProjectRules, type PermissionRulesOptions } from '@skills/permission-rules'
import { Agreements, type ConsentItem } from '@skills/trust'
import { addressOf } from './module-graph.js'
import { checkedData, itemsOf, problemOf, readConfiguration, type Unread } from './read-configuration.js'
import { checkedProviders } from './checked-providers.js'
import { findConfiguration, type ConfigurationFile, type ConfigurationHost } from './find-configuration.js'
import { joined, optionsOf, type ConfigurationOptions } from './configuration-options.js'
import { unagreedDiagnostics, type JudgedItem } from './unagreed.js'
import type { ConfigurationData } from './configuration-data.js'
import type { DistributionName } from './distribution-named.js'
import type { State } from '@skills/state'

export { findConfiguration, type ConfigurationFile, type ConfigurationHost } from './find-configuration.js'
export type { ConfigurationData } from './configuration-data.js'
export { configurationKeys } from './configuration-schema.js'
export { consentItems, settingsConsent, type Consent, type ConsentOptions, type JudgedItem } from './consent.js'

/** What configuration files say, as options of a distribution. */
export interface Configuration {
  readonly options: ConfigurationOptions
  /** The distribution that these options are for: what the project's file names comes before what the user's names. Undefined where neither names one. */
  readonly distribution?: DistributionName | undefined
  /** `untrusted`: it came with a project that nobody trusts, or is code that nobody agreed to; only what it denies counts. */
  readonly files: readonly (ConfigurationFile & { readonly state: 'loaded' | 'untrusted' | 'failed'; readonly hasProviders?: boolean })[]
  /** What of a trusted project's file does not count, because nobody agreed to it as it is now. */
  readonly unagreed: readonly JudgedItem[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface LoadConfigurationOptions {
  /** Where it is remembered which folders are trusted, and what of them was agreed to. */
  readonly state: State
  readonly signal?: AbortSignal | undefined
  /** Loads an ES module by its address, `file:` or `data:`. Default: `import()`. */
  readonly importModule?: ((url: string) => Promise<unknown>) | undefined
  /** Milliseconds that a configuration in code may take. Default: 10,000. */
  readonly limitMs?: number | undefined
}

interface Loaded {
  readonly state: Configuration['files'][number]['state']
  readonly data?: ConfigurationData | undefined
  readonly plugins?: readonly Plugin[] | undefined
  readonly unagreed?: readonly JudgedItem[] | undefined
  readonly diagnostics: readonly Diagnostic[]
  /** Of one that failed: whether it is sure that it has no rules. */
  readonly hasNoRules?: boolean | undefined
}

interface Closed extends Loaded {
  readonly unreadable?: NonNullable<PermissionRulesOptions['unreadable']>[number] | undefined
}

/**
 * Reads the configuration files of a user and of their project. Of a project's counts only what was agreed to when its folder was
 * trusted, by digest; code is imported as the very text that was agreed to. Before that nothing of it runs, and of one in JSON only
 * what it denies is taken over. What is wrong with a file is a diagnostic, and that file then says nothing, except that as long as rules might stand in it everything is asked about (`rules.unreadable`). Rejects as the
 * state does. See docs/reference.md, "Configuration".
 */
export async function loadConfiguration(host: ConfigurationHost, options: LoadConfigurationOptions): Promise<Configuration> {
  checkOptions<LoadConfigurationOptions>('loadConfiguration()', options, { state: 1, signal: 1, importModule: 1, limitMs: 1 })
  const { state, signal, ...how } = options
  const loader = new ModuleLoader(host, how)
  const loaded: (Closed & { readonly file: ConfigurationFile })[] = []
  for (const file of findConfiguration(host)) {
    loaded.push({ file, ...closedOf(file.from === 'user' ? await loadOwn(file, host, loader) : await loadProject(file, host, await Agreements.read(state, host, { signal }), loader)) })
  }
  return {
    options: loaded.reduce<ConfigurationOptions>((all, { file, data, plugins, unreadable }) => joined(joined(all, optionsOf(file, data ?? {}, plugins)), unreadable === undefined ? {} : { rules: { unreadable: [unreadable] } }), {}),
    files: loaded.map(({ file, state: word, plugins = [] }) => ({ ...file, state: word, ...plugins.length > 0 && { hasProviders: true } })),
    unagreed: loaded.flatMap(({ unagreed = [] }) => unagreed),
    diagnostics: loaded.flatMap(({ file, diagnostics }) => [...diagnostics, ...doubled(file)]),
    distribution: loaded.findLast(({ data }) => data?.distribution !== undefined)?.data?.distribution,
  }
}

/** A file that failed may hold rules that deny: nothing passes unasked before it is corrected. */
function closedOf(loaded: Loaded): Closed {
  const { state, diagnostics, hasNoRules } = loaded
  const [first] = diagnostics
  if (state !== 'failed' || hasNoRules === true || first === undefined) return loaded
  return {
    ...loaded, diagnostics: diagnostics.map(one => ({ ...one, hint: 'Correct it. Until then nothing of this file counts, and everything is asked about, no matter what other rules allow.' })),
    unreadable: { source: first.path ?? '', problem: `the rules of ${locationOf(first)} cannot be read: ${first.message.replace(/\.$/, '')}` },
  }
}

async function loadOwn(file: ConfigurationFile, host: ConfigurationHost, loader: ModuleLoader): Promise<Loaded> {
  if (!file.path.endsWith('.json')) return loader.load(file.path, pathToFileURL(file.path).href)
  const read = await readConfiguration(file, host)
  if ('problem' in read) return failed(read)
  return { state: 'loaded', data: 'data' in read ? read.data : {}, diagnostics: 'data' in read ? read.diagnostics : [] }
}

async function loadProject(file: ConfigurationFile, host: ConfigurationHost, agreements: Agreements, loader: ModuleLoader): Promise<Loaded> {
  const isTrusted = agreements.isTrusted(dirname(file.path))
  // Nobody asks what code that does not run imports.
  if (!isTrusted && !file.path.endsWith('.json')) return untrusted(file)
  const read = await readConfiguration(file, host)
  if ('problem' in read) return failed(read)
  if (!isTrusted && 'data' in read) {
    const { deny = [] } = read.data.rules ?? {}
    if (deny.length > mostProjectRules) return failed({ problem: problemOf(file.path, `The configuration denies by ${deny.length} rules, and one that is not trusted may have ${mostProjectRules}.`, 'rules.deny') })
    return { ...untrusted(file), data: deny.length === 0 ? {} : { rules: { deny } } }
  }
  const { items: found, keeping } = await itemsOf(read, file)
  const items = found.map(item => ({ ...item, state: agreements.stateOf(item) }))
  const unagreed = items.filter(one => one.state !== 'agreed')
  const about = unagreedDiagnostics(file.path, 'configuration', unagreed, agreements.isUnlisted(dirname(file.path)))
  if ('data' in read) {
    const agreed = new Set(items.filter(one => one.state === 'agreed').map(textOfItem))
    return { state: 'loaded', data: keeping(item => agreed.has(textOfItem(item))), unagreed, diagnostics: [...read.diagnostics, ...about] }
  }
  if (unagreed.length > 0 || !('modules' in read)) return { state: 'untrusted', unagreed, diagnostics: about }
  const address = addressOf(read.modules)
  if ('url' in address) return loader.load(file.path, address.url)
  return failed({ problem: problemOf(file.path, `${address.path} ${address.problem}`) })
}

function textOfItem({ kind, label, digest }: ConsentItem): string {
  return JSON.stringify([kind, label, digest])
}

function failed({ problem, hasNoRules }: Unread): Loaded {
  return { state: 'failed', hasNoRules, diagnostics: [problem] }
}

class ModuleLoader {
  readonly #host: ConfigurationHost
  readonly #importModule: (url: string) => Promise<unknown>
  readonly #limitMs: number

  constructor(host: ConfigurationHost, { importModule = url => import(url), limitMs = 10_000 }: Pick<LoadConfigurationOptions, 'importModule' | 'limitMs'>) {
    this.#host = host
    this.#importModule = importModule
    this.#limitMs = limitMs
  }

  /** @param path of the file, for sentences */
  async load(path: string, url: string): Promise<Loaded> {
    try {
      const value = await this.#limited(async () => {
        const { default: given } = await this.#importModule(url) as { readonly default?: unknown }
        return typeof given === 'function' ? await given(this.#host) as unknown : given
      })
      if (value === undefined) return failed({ problem: problemOf(path, 'The configuration exports nothing as default.') })
      const checked = checkedData(value, path, undefined)
      if ('problem' in checked) return failed(checked)
      const plugins = checkedProviders(checked.data.providers)
      if ('problem' in plugins) return failed({ problem: problemOf(path, plugins.problem, plugins.field) })
      return { state: 'loaded', ...checked, ...plugins }
    } catch (error) {
      return failed({ problem: problemOf(path, `The configuration could not be loaded: ${messageOf(error)}`) })
    }
  }

  /** One that waits for ever must not take down the commands by which it is looked into. */
  async #limited<T>(work: () => Promise<T>): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`It took longer than ${this.#limitMs} ms.`)), this.#limitMs)
    })
    try {
      return await Promise.race([work(), late])
    } finally {
      clearTimeout(timer)
    }
  }
}

function untrusted({ path }: ConfigurationFile): Loaded {
  return {
    state: 'untrusted', diagnostics: [{
      severity: 'warning', type: 'validation', code: 'untrusted-configuration', path,
      message: 'The configuration came with a folder that is not trusted, so it is not used.', hint: 'Look at it, then trust the folder.',
    }],
  }
}

function doubled({ path, besides }: ConfigurationFile): readonly Diagnostic[] {
  return besides === undefined ? [] : [{
    severity: 'warning', type: 'validation', code: 'second-configuration', path: besides, message: `${besides} is not used, because ${path} is there.`, hint: 'Keep one of them.',
  }]
}
