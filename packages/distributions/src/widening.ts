import { consentItem, type ConsentItem } from '@skills/trust'
import type { ConfigurationData } from './configuration-data.js'
import type { KeyLines, KeyPath } from '@skills/files'
import type { ManifestTexts } from '@skills/source-plugin'
import type { ServerFiles } from './server-files.js'

export interface Place {
  /** Of the file, absolute. */
  readonly path: string
  readonly lines: KeyLines
  /** What plugins, packages and marketplaces say of themselves, which counts with the entry that names them. */
  readonly manifests: ManifestTexts
  /** What servers name, likewise. */
  readonly serverFiles: Pick<ServerFiles, 'textOf'>
}

/**
 * What of a project's configuration counts: all that forbids, asks or switches off, and of what widens the items that
 * are kept. The one place that says what widens: who only wants the items keeps none.
 * @param keep called once for each item
 */
export function widening(
  data: ConfigurationData,
  { path, lines, manifests, serverFiles }: Place,
  keep: (item: ConsentItem) => boolean,
): ConfigurationData {
  const keeps = (kind: string, label: string, value: unknown, keys: KeyPath, besides = ''): boolean => {
    const line = lines.of(keys)
    const text = besides === '' ? textOf(value) : `${textOf(value)}\n${besides}`
    return keep(consentItem({ kind, label, path, text, ...(line !== undefined && { line }) }))
  }
  const list = <T>(
    kind: string,
    field: string,
    values: readonly T[] | undefined,
    labelOf: (value: T) => string,
    besides: readonly string[] = [],
  ): readonly T[] | undefined =>
    values?.filter((value, at) => keeps(kind, labelOf(value), value, [field, at], besides[at]))
  const map = <T>(
    kind: string,
    field: string,
    values: Readonly<Record<string, T>> | undefined,
    widens: (value: T) => boolean = () => true,
    besidesOf: (label: string) => string = () => '',
  ): Readonly<Record<string, T>> | undefined =>
    values &&
    Object.fromEntries(
      Object.entries(values).filter(
        ([label, value]) => !widens(value) || keeps(kind, label, value, [field, label], besidesOf(label)),
      ),
    )
  const whole = <K extends keyof ConfigurationData>(
    field: K,
    widens: (value: NonNullable<ConfigurationData[K]>) => boolean = () => true,
  ): ConfigurationData[K] | undefined => {
    const value = data[field]
    if (value === undefined || value === null) return undefined
    return !widens(value) || keeps(field, field, value, [field]) ? value : undefined
  }
  const { rules, activation, bundled, hooks, shell } = data
  return {
    // What only false says switches off.
    activation,
    bundled,
    hooks,
    shell,
    distribution: whole('distribution'),
    agents: data.agents,
    unmetNeeds: whole('unmetNeeds', value => value === 'tell'),
    precedence: whole('precedence'),
    listing: whole('listing'),
    files: whole('files', value => value),
    overrides: map('override', 'overrides', data.overrides, word => word !== 'off'),
    servers: map('server', 'servers', data.servers, undefined, name => serverFiles.textOf(name)),
    additional: list('folder', 'additional', data.additional, one => one),
    linksTo: list('links', 'linksTo', data.linksTo, one => one),
    plugins: list(
      'plugin',
      'plugins',
      data.plugins,
      one => (typeof one === 'string' ? one : one.path),
      manifests.plugins,
    ),
    packages: list(
      'package',
      'packages',
      data.packages,
      one => (typeof one === 'string' ? one : one.name),
      manifests.packages,
    ),
    marketplaces: list(
      'marketplace',
      'marketplaces',
      data.marketplaces,
      one => (typeof one === 'string' ? one : one.path),
      manifests.marketplaces,
    ),
    rules: rules && {
      ...rules,
      allow: rules.allow?.filter((rule, at) => keeps('rule', rule, rule, ['rules', 'allow', at])),
    },
  }
}

/** What is shown and what the digest is of: text as it is, anything else as JSON with its keys in order. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(inOrder(value), undefined, 2)
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  // A null prototype: a key may have any name.
  const ordered: Record<string, unknown> = Object.create(null) as Record<string, unknown>
  for (const [key, one] of Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) ordered[key] = inOrder(one)
  return ordered
}
