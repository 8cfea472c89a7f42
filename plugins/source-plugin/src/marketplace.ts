import { closestNames, type Diagnostic, type Place } from '@skills/core'
import {
  ioProblem,
  isJsonObject,
  plainFolder,
  pluginPath,
  realPathOf,
  statOf,
  systemCode,
  type JsonFile,
  type KeyPath,
} from '@skills/files/internal'
import { readJsonFile } from '@skills/files'
import { copyInside } from './copy-inside.js'
import type { MarketplaceEntry, NamedPlugin } from './named-plugin.js'
import { lineOf } from './line-of.js'
import type { PluginMarketplace } from './plugin-options.js'

/** Local plugins of a marketplace, and notes about the others. */
export interface ReadMarketplace {
  readonly plugins: readonly NamedPlugin[]
  readonly problems: readonly Diagnostic[]
  readonly places: readonly Place[]
  /** Reasons why a named plugin is not read, by name, a sentence each. */
  readonly absent: ReadonlyMap<string, string>
  /** File that names them. Default: the path of the first place. */
  readonly file?: string | undefined
}

const nothing: ReadMarketplace = { plugins: [], problems: [], places: [], absent: new Map() }

/** Returns the file of a marketplace that is given by its folder or by the file itself. */
export function marketplaceFile(path: string): string {
  return path.endsWith('.json') ? path : `${path}/.claude-plugin/marketplace.json`
}

/** Returns the folder to which the paths of a marketplace are relative. */
export function marketplaceFolder(file: string): string {
  return plainFolder(file.replace(/(?:\/\.claude-plugin)?\/[^/]*$/, '/'))
}

/** Reads a marketplace. Remote plugins are not fetched. An invalid entry does not affect the other entries. */
export async function readMarketplace(given: PluginMarketplace): Promise<ReadMarketplace> {
  const file = marketplaceFile(given.path)
  const folder = marketplaceFolder(file)
  const failed = (problem: Diagnostic, state: Place['state']): ReadMarketplace => ({
    ...nothing,
    problems: [problem],
    places: [{ path: file, state, found: 0 }],
  })
  let within: string | undefined
  try {
    within = realPathOf(folder)
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return failed(ioProblem('The marketplace folder', folder, error), 'unreadable')
  }
  const read =
    within === undefined
      ? undefined
      : readJsonFile(file, { code: 'invalid-marketplace', what: 'The marketplace file', within })
  if (read === undefined) {
    return failed(
      {
        severity: 'error',
        type: 'io',
        code: 'marketplace-not-found',
        path: file,
        message: `There is no marketplace file ${file}.`,
        hint: 'Name the folder that holds .claude-plugin/marketplace.json.',
      },
      'missing',
    )
  }
  if ('severity' in read) return failed(copyInside('marketplace', read), 'unreadable')
  const { checkEntry, checkMarketplace } = await import('./manifest-schema.js')
  const checked = checkMarketplace(read.data)
  if (!('data' in checked)) return failed(invalid(read, checked.field, checked.message, checked.keys), 'unreadable')
  return new MarketplaceReader(given, read, folder).read(
    checked.data.plugins,
    checked.data.metadata?.pluginRoot ?? '',
    checkEntry,
  )
}

function invalid({ path, lines }: JsonFile, field: string, message: string, keys: KeyPath): Diagnostic {
  return {
    severity: 'error',
    type: 'validation',
    code: 'invalid-marketplace',
    path,
    field,
    ...lineOf({ lines }, keys),
    message: `"${field}" of the marketplace file ${message}.`,
    hint: 'Correct the file.',
  }
}

/** Returns an entry of a marketplace by the name of its plugin. Undefined if there is none, or if it is not valid. */
export async function entryNamed(name: string, file: JsonFile): Promise<MarketplaceEntry | undefined> {
  const { plugins } = file.data
  const all: readonly unknown[] = Array.isArray(plugins) ? plugins : []
  const at = all.findIndex(one => isJsonObject(one) && one['name'] === name)
  if (at < 0) return undefined
  const { checkEntry } = await import('./manifest-schema.js')
  const checked = checkEntry(all[at])
  if (!('data' in checked)) return undefined
  const { source: _, ...data } = checked.data
  return entryAt(file, at, data)
}

function entryAt(
  file: JsonFile,
  at: number,
  { name, strict = true, ...data }: { readonly name: string; readonly strict?: boolean | undefined },
): MarketplaceEntry {
  return {
    ...file,
    name,
    data: { name, ...data, strict },
    isManifest: !strict,
    prefix: `plugins[${at}].`,
    ways: [['plugins', at]],
  }
}

type CheckEntry = typeof import('./manifest-schema.js').checkEntry

class MarketplaceReader {
  readonly #problems: Diagnostic[] = []
  readonly #absent = new Map<string, string>()

  constructor(
    private readonly given: PluginMarketplace,
    private readonly file: JsonFile,
    private readonly folder: string,
  ) {}

  read(entries: readonly unknown[], pluginRoot: string, checkEntry: CheckEntry): ReadMarketplace {
    const names: string[] = []
    const remote: string[] = []
    const plugins = entries.flatMap((data, at): readonly NamedPlugin[] => {
      const checked = checkEntry(data)
      const field = `plugins[${at}]`
      if (!('data' in checked)) {
        this.#problems.push(
          invalid(this.file, checked.field === '' ? field : `${field}.${checked.field}`, checked.message, [
            'plugins',
            at,
            ...checked.keys,
          ]),
        )
        return []
      }
      const { name, source } = checked.data
      names.push(name)
      if (this.given.only?.includes(name) === false) {
        this.#absent.set(name, `is in the marketplace ${this.file.path}, but is not one of the plugins chosen from it`)
        return []
      }
      if (typeof source !== 'string') {
        remote.push(name)
        this.#absent.set(
          name,
          `has a remote source (${source.source}) in the marketplace ${this.file.path}, and remote plugins are not fetched`,
        )
        return []
      }
      return this.#local(checked.data, source, pluginRoot, at)
    })
    this.#complainOfUnknown(names)
    const shown = remote.length > 5 ? [...remote.slice(0, 5), `${remote.length - 5} more`] : remote
    const { path } = this.file
    return {
      plugins,
      problems: this.#problems,
      absent: this.#absent,
      places:
        remote.length === 0
          ? []
          : [
              {
                path,
                state: 'skipped',
                found: 0,
                note: `${remote.length === 1 ? 'One plugin of this marketplace has a remote source and is' : `${remote.length} plugins of this marketplace have a remote source and are`} not fetched: ${shown.join(', ')}.`,
              },
            ],
    }
  }

  #local(
    { name, ...data }: { readonly name: string; readonly strict?: boolean | undefined },
    source: string,
    pluginRoot: string,
    at: number,
  ): readonly NamedPlugin[] {
    const prefix = `plugins[${at}].`
    const { from = 'host', enabled = true, disabled = [], config = {} } = this.given
    const inside = pluginPath(source, { metadata: { pluginRoot } })
    const path = inside === undefined ? undefined : `${this.folder}${inside === '' ? '' : `/${inside}`}`
    const place = { path: this.file.path, field: `${prefix}source` }
    if (path === undefined || !this.#isInside(path)) {
      this.#absent.set(name, `has a path that leads out of its marketplace ${this.file.path}`)
      this.#problems.push({
        severity: 'error',
        type: 'traversal',
        code: 'plugin-path-outside',
        ...place,
        ...lineOf(this.file, ['plugins', at, 'source']),
        message: `The plugin "${name}" is not loaded: its source ${JSON.stringify(source)} is outside the marketplace.`,
        hint: 'To load this plugin, name its folder as a plugin.',
      })
      return []
    }
    const off = !enabled
      ? `The ${from} switched its marketplace off.`
      : disabled.includes(name)
        ? `The ${from} switched it off.`
        : undefined
    return [
      {
        path,
        from,
        off,
        config: (Object.hasOwn(config, name) ? config[name] : undefined) ?? {},
        entry: entryAt(this.file, at, { name, ...data }),
      },
    ]
  }

  #isInside(path: string): boolean {
    if (statOf(path) === undefined) return true
    const [real, within] = [realPathOf(path), realPathOf(this.folder)]
    return real === undefined || within === undefined || real === within || real.startsWith(`${within}/`)
  }

  #complainOfUnknown(names: readonly string[]): void {
    const { only = [], disabled = [], config = {} } = this.given
    for (const name of new Set([...only, ...disabled, ...Object.keys(config)])) {
      if (names.includes(name)) continue
      const [close] = closestNames(name, names, 1)
      this.#problems.push({
        severity: 'warning',
        type: 'validation',
        code: 'unknown-marketplace-plugin',
        path: this.file.path,
        message: `The marketplace has no plugin "${name}".`,
        ...(close === undefined ? {} : { hint: `Did you mean "${close}"?` }),
      })
    }
  }
}
