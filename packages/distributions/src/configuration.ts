import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { locationOf, messageOf, type Diagnostic, type Plugin } from '@skills/core'
import { isJsonObject, readJsonFile, type KeyLines, type KeyPath } from '@skills/fs'
import { mostProjectRules } from '@skills/permission-rules'
import { isTrustedFolder } from '@skills/trust'
import { checkConfiguration } from './configuration-schema.js'
import type { ConfigurationData } from './configuration-data.js'
import { findConfiguration, type ConfigurationFile, type ConfigurationHost } from './find-configuration.js'
import type { DistributionName } from './distribution-named.js'
import type { McpServer, McpSourceOptions } from '@skills/source-mcp'
import type { PermissionRulesOptions } from '@skills/permission-rules'
import type { PluginSourceOptions } from '@skills/source-plugin'
import type { StandardOptions } from './standard.js'
import type { State } from '@skills/state'

export { findConfiguration, type ConfigurationFile, type ConfigurationHost } from './find-configuration.js'
export type { ConfigurationData } from './configuration-data.js'
export { configurationKeys } from './configuration-schema.js'

/** What configuration files say, as options of a distribution. */
export interface Configuration {
  readonly options: Pick<StandardOptions, 'overrides' | 'precedence' | 'additional' | 'published' | 'mcp' | 'activation' | 'bundled' | 'hooks' | 'rules' | 'shell' | 'files' | 'listing' | 'plugins'>
  /** The distribution that these options are for: what the project's file names comes before what the user's names. Undefined where neither names one. */
  readonly distribution?: DistributionName | undefined
  /** `untrusted`: it came with a project that nobody trusts, and only what it denies counts. */
  readonly files: readonly (ConfigurationFile & { readonly state: 'loaded' | 'untrusted' | 'failed' })[]
  readonly diagnostics: readonly Diagnostic[]
}

export interface LoadConfigurationOptions {
  /** Where it is remembered which folders are trusted. */
  readonly state: State
  readonly signal?: AbortSignal | undefined
  /** Loads an ES module by its path. Default: `import()`. */
  readonly importModule?: ((path: string) => Promise<unknown>) | undefined
}

interface Loaded {
  readonly state: Configuration['files'][number]['state']
  readonly data?: ConfigurationData | undefined
  readonly plugins?: readonly Plugin[] | undefined
  readonly diagnostics: readonly Diagnostic[]
  /** Of one that failed: whether it is sure that it has no rules. */
  readonly hasNoRules?: boolean | undefined
}

/**
 * Reads the configuration files of a user and of their project. A project's counts only once its folder is trusted: before
 * that nothing of it runs, and of one in JSON only what it denies is taken over. What is wrong with a file is a diagnostic,
 * and that file then says nothing, except that as long as rules might stand in it everything is asked about (`rules.unreadable`). Rejects as the state does. See docs/reference.md, "Configuration".
 */
export async function loadConfiguration(host: ConfigurationHost, { state, signal, importModule = byUrl }: LoadConfigurationOptions): Promise<Configuration> {
  const files = findConfiguration(host)
  const loaded: (Closed & { readonly file: ConfigurationFile })[] = []
  for (const file of files) {
    const isTrusted = file.from === 'user' || await isTrustedFolder(state, dirname(file.path), host, { signal })
    loaded.push({ file, ...closedOf(await (file.path.endsWith('.json') ? readJson(file, isTrusted) : isTrusted ? readModule(file, host, importModule) : untrusted(file))) })
  }
  return {
    options: loaded.reduce<Configuration['options']>((options, { file, data, plugins, unreadable }) => joined(joined(options, optionsOf(file, data ?? {}, plugins)), unreadable === undefined ? {} : { rules: { unreadable: [unreadable] } }), {}),
    files: loaded.map(({ file, state: word }) => ({ ...file, state: word })),
    diagnostics: loaded.flatMap(({ file, diagnostics }) => [...diagnostics, ...doubled(file)]),
    distribution: loaded.findLast(({ data }) => data?.distribution !== undefined)?.data?.distribution,
  }
}

interface Closed extends Loaded {
  readonly unreadable?: NonNullable<PermissionRulesOptions['unreadable']>[number] | undefined
}

/** A file that failed may hold rules that deny: nothing passes unasked before it is corrected. */
function closedOf(loaded: Loaded): Closed {
  const { state, diagnostics, hasNoRules } = loaded
  const [first] = diagnostics
  if (state !== 'failed' || hasNoRules === true || first === undefined) return loaded
  return {
    ...loaded, diagnostics: diagnostics.map(one => ({ ...one, hint: 'Correct it. Until then nothing of this file counts, and everything is asked about, whatever other rules allow.' })),
    unreadable: { source: first.path ?? '', problem: `the rules of ${locationOf(first)} cannot be read: ${first.message.replace(/\.$/, '')}` },
  }
}

function byUrl(path: string): Promise<unknown> {
  return import(pathToFileURL(path).href)
}

function readJson({ path, from }: ConfigurationFile, isTrusted: boolean): Loaded {
  const file = readJsonFile(path, { code: 'invalid-configuration', what: 'The configuration', ...from === 'project' && { within: dirname(path) } })
  // It was there a moment ago.
  if (file === undefined) return { state: 'failed', diagnostics: [problem(path, 'The configuration is gone.')] }
  if (!('data' in file)) return { state: 'failed', diagnostics: [file] }
  const checked = repeated(path, file.lines) ?? checkedData(file.data, path, file.lines)
  if (isTrusted || checked.data === undefined) return checked
  const { deny = [] } = checked.data.rules ?? {}
  if (deny.length > mostProjectRules) return { state: 'failed', diagnostics: [problem(path, `The configuration denies by ${deny.length} rules, and one that is not trusted may have ${mostProjectRules}.`, 'rules.deny')] }
  return { ...untrusted({ path, from }), data: deny.length === 0 ? {} : { rules: { deny } } }
}

/** A key that stands twice: only the later one is read, and what the earlier one forbids would be lost. */
function repeated(path: string, lines: KeyLines): Loaded | undefined {
  const keys = [['rules'], ['rules', 'deny'], ['rules', 'ask']].find(one => lines.isRepeated(one))
  const line = keys && lines.of(keys)
  return keys && { state: 'failed', diagnostics: [{ ...problem(path, `The configuration has "${keys.join('.')}" twice.`, keys.join('.')), ...line !== undefined && { line } }] }
}

async function readModule({ path }: ConfigurationFile, host: ConfigurationHost, importModule: (path: string) => Promise<unknown>): Promise<Loaded> {
  try {
    const { default: given } = await importModule(path) as { readonly default?: unknown }
    if (given === undefined) return { state: 'failed', diagnostics: [problem(path, 'The configuration exports nothing as default.')] }
    const value: unknown = typeof given === 'function' ? await given(host) : given
    const checked = checkedData(value, path, undefined)
    const plugins = checked.data?.providers
    if (plugins === undefined || Array.isArray(plugins)) return { ...checked, plugins }
    return { state: 'failed', diagnostics: [problem(path, '"providers" must be a list of plugins.', 'providers')] }
  } catch (error) {
    return { state: 'failed', diagnostics: [problem(path, `The configuration could not be loaded: ${messageOf(error)}`)] }
  }
}

/** @param lines of a file whose lines can be told */
function checkedData(value: unknown, path: string, lines: KeyLines | undefined): Loaded {
  const checked = checkConfiguration(value, lines === undefined ? ['providers'] : [])
  const lineOf = (keys: KeyPath) => {
    const line = lines?.of(keys)
    return line === undefined ? {} : { line }
  }
  if ('message' in checked) {
    const { field, path: keys, message } = checked
    return { state: 'failed', hasNoRules: isJsonObject(value) && !Object.hasOwn(value, 'rules'), diagnostics: [{ ...problem(path, `${field === '' ? 'The configuration' : `"${field}" of the configuration`} ${message}.`, field), ...lineOf(keys) }] }
  }
  return {
    state: 'loaded', data: checked.data,
    diagnostics: checked.unknown.map(({ path: keys, field, hint }) => ({
      severity: 'warning', type: 'validation', code: 'unknown-configuration-key', path, field, message: `A configuration has no key "${field}", so what it says does nothing.`, hint, ...lineOf(keys),
    })),
  }
}

function problem(path: string, message: string, field = ''): Diagnostic {
  return {
    severity: 'error', type: 'validation', code: 'invalid-configuration', path, message, hint: 'Until it is corrected, nothing of this file counts.', ...field !== '' && { field },
  }
}

function untrusted({ path }: Pick<ConfigurationFile, 'path' | 'from'>): Loaded {
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

function optionsOf({ path, from }: ConfigurationFile, data: ConfigurationData, plugins: readonly Plugin[] | undefined): Configuration['options'] {
  const folder = dirname(path)
  const at = (given: string): string => resolve(folder, given)
  const { overrides, precedence, additional, servers, activation, bundled, hooks, rules, shell, files, listing } = data
  const published: PluginSourceOptions = {
    plugins: data.plugins?.map(one => typeof one === 'string' ? { path: at(one), from } : { ...one, path: at(one.path), from }),
    packages: data.packages?.map(one => typeof one === 'string' ? { name: one, folder, from } : { ...one, folder, from }),
    marketplaces: data.marketplaces?.map(one => typeof one === 'string' ? { path: at(one), from } : { ...one, path: at(one.path), from }),
  }
  const isPublishing = Object.values(published).some(list => list !== undefined)
  return {
    ...overrides && { overrides },
    ...precedence && { precedence },
    ...additional && { additional: additional.map(at) },
    ...isPublishing && { published },
    ...servers && { mcp: { servers: serversIn(servers, folder, from), allows: () => true } },
    ...rules && { rules: writtenIn(rules, path) },
    // A person who switched them off does not want a project to switch them on.
    ...shell === false && { shell },
    ...hooks === false && { hooks },
    ...activation === false && { activation },
    ...bundled === false && { bundled },
    ...files !== undefined && { files: files ? {} : false as const },
    ...listing && { listing },
    ...plugins && { plugins },
  }
}

/** A file that is not trusted never comes so far, so what it names may be spoken to. */
function serversIn(servers: NonNullable<ConfigurationData['servers']>, folder: string, from: ConfigurationFile['from']): McpSourceOptions['servers'] {
  return Object.fromEntries(Object.entries(servers).map(([name, server]): [string, McpServer] => {
    const given = { ...server, from }
    return [name, 'command' in given ? { ...given, cwd: resolve(folder, given.cwd ?? '.') } : given]
  }))
}

/** Each rule with the file that it stands in, which decisions name. */
function writtenIn(rules: NonNullable<ConfigurationData['rules']>, source: string): NonNullable<StandardOptions['rules']> {
  const written = (list: readonly string[] | undefined) => list?.map(rule => ({ rule, source }))
  return { allow: written(rules.allow), ask: written(rules.ask), deny: written(rules.deny) }
}

/** Lists are joined, the later first where an order counts; of single words, and of the precedence, the later one counts: two orders make none. */
function joined(before: Configuration['options'], now: Configuration['options']): Configuration['options'] {
  const both = <T>(one: readonly T[] | undefined, other: readonly T[] | undefined): readonly T[] | undefined => one || other ? [...other ?? [], ...one ?? []] : undefined
  const { published, mcp, rules, overrides, additional, plugins, listing } = before
  return {
    ...before, ...now,
    // What a person switched off no project switches on.
    ...before.files === false && { files: false },
    ...(overrides || now.overrides) && { overrides: { ...overrides, ...now.overrides } },
    ...(additional || now.additional) && { additional: both(additional, now.additional) ?? [] },
    ...(plugins || now.plugins) && { plugins: both(plugins, now.plugins) ?? [] },
    ...(listing || now.listing) && { listing: { ...listing, ...now.listing } },
    ...(published || now.published) && {
      published: {
        plugins: both(published?.plugins, now.published?.plugins), packages: both(published?.packages, now.published?.packages),
        marketplaces: both(published?.marketplaces, now.published?.marketplaces),
      },
    },
    ...(mcp || now.mcp) && { mcp: { ...mcp, ...now.mcp, servers: { ...mcp?.servers, ...now.mcp?.servers } } },
    ...(rules || now.rules) && { rules: { allow: both(rules?.allow, now.rules?.allow), ask: both(rules?.ask, now.rules?.ask), deny: both(rules?.deny, now.rules?.deny), unreadable: both(rules?.unreadable, now.rules?.unreadable) } },
  }
}
