import { dirname } from 'node:path'
import { findPackage, isJsonObject, isPackageName, realPathOf, type KeyPath } from '@skills/files/internal'
import { findProjectFolders, readJsonFile, type KeyLines } from '@skills/files'
import { checkConfiguration } from './configuration-schema.js'
import { readModuleGraph, type ModuleFile } from './module-graph.js'
import { optionsOf } from './configuration-options.js'
import { moduleItems, readDistribution, type ReadDistribution } from './own-distribution.js'
import { ServerFiles } from './server-files.js'
import { widening } from './widening.js'
import type { ConfigurationData } from './configuration-schema.js'
import type { ConfigurationFile, ConfigurationHost } from './find-configuration.js'
import type { ConsentItem } from '@skills/trust/internal'
import type { Diagnostic } from '@skills/core'
import type { ManifestTexts } from '@skills/source-plugin/internal'

/** Content of a configuration file, as far as it is known without running code. */
export type ReadConfiguration =
  | { readonly data: ConfigurationData; readonly lines: KeyLines; readonly diagnostics: readonly Diagnostic[] }
  | { readonly modules: readonly ModuleFile[] }
  | Unread

export interface Unread {
  readonly problem: Diagnostic
  /** True if it surely has no rules. */
  readonly hasNoRules?: boolean | undefined
}

/** Reads a JSON file, or a project's file of code with all its imports. */
export async function readConfiguration(file: ConfigurationFile, host: ConfigurationHost): Promise<ReadConfiguration> {
  return file.path.endsWith('.json') ? readData(file) : readModules(file, host)
}

function readData({ path, from }: ConfigurationFile): ReadConfiguration {
  const file = readJsonFile(path, {
    code: 'invalid-configuration',
    what: 'The configuration',
    ...(from === 'project' && { within: dirname(path) }),
  })
  // It existed a moment ago.
  if (file === undefined) return { problem: problemOf(path, 'The configuration was removed.') }
  if (!('data' in file)) return { problem: file }
  const { lines } = file
  const checked = repeated(path, lines) ?? checkedData(file.data, path, lines)
  return 'problem' in checked ? checked : { ...checked, lines }
}

/** Reports a key that occurs twice: only the later one is read, so the rules of the earlier one would be lost. */
function repeated(path: string, lines: KeyLines): Unread | undefined {
  const keys = [['rules'], ['rules', 'deny'], ['rules', 'ask']].find(one => lines.isRepeated(one))
  const line = keys && lines.of(keys)
  return (
    keys && {
      problem: {
        ...problemOf(path, `The configuration has "${keys.join('.')}" twice.`, keys.join('.')),
        ...(line !== undefined && { line }),
      },
    }
  )
}

async function readModules({ path }: ConfigurationFile, host: ConfigurationHost): Promise<ReadConfiguration> {
  const { top } = findProjectFolders(host)
  const modules = await readModuleGraph(path, realPathOf(top) ?? top)
  if (!('problem' in modules)) return { modules }
  const { path: at, line, problem } = modules
  return {
    problem: {
      ...problemOf(
        path,
        at === path ? `The configuration ${problem}` : `${at}, which the configuration imports, ${problem}`,
      ),
      path: at,
      ...(line !== undefined && { line }),
    },
  }
}

/** Items of a project's file that need a person's agreement. */
export interface ConfigurationItems {
  readonly items: readonly ConsentItem[]
  /** Returns the data with those items that are kept. */
  readonly keeping: (keep: (item: ConsentItem) => boolean) => ConfigurationData
  /** Files that its servers name, as they were when they were judged. */
  readonly serverFiles?: ServerFiles | undefined
  /** Texts of its plugins, as they were when they were judged, by folder or name of the package. */
  readonly pluginTexts?: ReadonlyMap<string, string> | undefined
  /** Module that it names as the distribution. Its files are among the items. */
  readonly distribution?: ReadDistribution | undefined
}

export async function itemsOf(
  read: ReadConfiguration,
  file: ConfigurationFile,
  host: ConfigurationHost,
): Promise<ConfigurationItems> {
  if ('modules' in read) return { items: moduleItems(read.modules), keeping: () => ({}) }
  if (!('data' in read)) return { items: [], keeping: () => ({}) }
  const { data, lines } = read
  // Read once, so that the judged content is the one that is used.
  const manifests = await manifestsOf(data, file)
  const serverFiles = new ServerFiles(data, file, host)
  const keeping = (keep: (item: ConsentItem) => boolean): ConfigurationData =>
    widening(data, { path: file.path, lines, manifests, serverFiles }, keep)
  const items: ConsentItem[] = []
  keeping(item => items.push(item) === 0)
  const { distribution: name } = data
  const distribution =
    name === undefined ? undefined : await readDistribution(host, { name, folder: dirname(file.path), from: 'project' })
  if (distribution !== undefined && 'modules' in distribution && distribution.modules !== undefined)
    items.push(...moduleItems(distribution.modules))
  return { items, keeping, serverFiles, pluginTexts: textsByPlugin(data, file, manifests), distribution }
}

function textsByPlugin(
  data: ConfigurationData,
  file: ConfigurationFile,
  manifests: ManifestTexts,
): ReadonlyMap<string, string> {
  const { plugins = [], packages = [] } = optionsOf(file, data, undefined).published ?? {}
  return new Map([
    ...plugins.map((one, at) => [typeof one === 'string' ? one : one.path, manifests.plugins[at] ?? ''] as const),
    ...packages.map(({ name }, at) => [name, manifests.packages[at] ?? ''] as const),
  ])
}

async function manifestsOf(data: ConfigurationData, file: ConfigurationFile): Promise<ManifestTexts> {
  const { published } = optionsOf(file, data, undefined)
  // The library that reads them is loaded only if one is named.
  if (published === undefined) return { plugins: [], packages: [], marketplaces: [] }
  const { installed: _, ...named } = published
  return (await import('@skills/source-plugin/internal')).manifestTexts(named)
}

/**
 * Checks the content of a configuration file and converts it.
 * @param lines lines of the keys; undefined for a module
 */
export function checkedData(
  value: unknown,
  path: string,
  lines: KeyLines | undefined,
): { readonly data: ConfigurationData; readonly diagnostics: readonly Diagnostic[] } | Unread {
  const isInstalled = (name: string): boolean => isPackageName(name) && findPackage(name, dirname(path)) !== undefined
  const checked = checkConfiguration(value, isInstalled, lines === undefined ? ['providers'] : [])
  const lineOf = (keys: KeyPath) => {
    const line = lines?.of(keys)
    return line === undefined ? {} : { line }
  }
  if ('message' in checked) {
    const { field, path: keys, message } = checked
    return {
      hasNoRules: isJsonObject(value) && !Object.hasOwn(value, 'rules'),
      problem: {
        ...problemOf(
          path,
          `${field === '' ? 'The configuration' : `"${field}" of the configuration`} ${message}.`,
          field,
        ),
        ...lineOf(keys),
      },
    }
  }
  return {
    data: checked.data,
    diagnostics: checked.unknown.map(({ path: keys, field, hint }) => ({
      severity: 'warning',
      type: 'validation',
      code: 'unknown-configuration-key',
      path,
      field,
      message: `The key "${field}" is not known, so it has no effect.`,
      hint,
      ...lineOf(keys),
    })),
  }
}

export function problemOf(path: string, message: string, field = ''): Diagnostic {
  return {
    severity: 'error',
    type: 'validation',
    code: 'invalid-configuration',
    path,
    message,
    hint: 'Correct this file. Until then the whole file is ignored.',
    ...(field !== '' && { field }),
  }
}
