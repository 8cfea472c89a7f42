import { consentItem, type ConsentItem } from '@skills/trust/internal'
import { keyEntries, type ConfigurationData } from './configuration-schema.js'
import type { KeyLines } from '@skills/files'
import type { ManifestTexts } from '@skills/source-plugin/internal'
import type { ServerFiles } from './server-files.js'

export interface Place {
  /** Absolute path of the file. */
  readonly path: string
  readonly lines: KeyLines
  /** Manifests of plugins, packages and marketplaces. They are part of the entry that names them. */
  readonly manifests: ManifestTexts
  /** Files that servers name. They are part of the entry of the server. */
  readonly serverFiles: Pick<ServerFiles, 'textOf'>
}

/**
 * Reduces a project's configuration to the entries that have an effect: every entry that denies, asks or switches off,
 * and each entry that allows more if `keep` returns true for it. A caller that needs only the entries that allow more
 * collects them in `keep` and ignores the result.
 * @param keep called once for each entry that allows more
 */
export function widening(
  data: ConfigurationData,
  { path, lines, manifests, serverFiles }: Place,
  keep: (item: ConsentItem) => boolean,
): ConfigurationData {
  const given: Readonly<Record<string, unknown>> = data
  const texts: Readonly<Record<string, readonly string[]>> = { ...manifests }
  return Object.fromEntries(
    keyEntries.flatMap(([name, { kept = (value: unknown) => value }]) => {
      const value = given[name]
      if (value === undefined || value === null) return []
      const counting = kept(value, (kind, label, one, below) => {
        const line = lines.of([name, ...below])
        const besides = name === 'servers' ? serverFiles.textOf(label) : (texts[name]?.[Number(below[0])] ?? '')
        const text = besides === '' ? textOf(one) : `${textOf(one)}\n${besides}`
        return keep(consentItem({ kind, label, path, text, ...(line !== undefined && { line }) }))
      })
      return counting === undefined ? [] : [[name, counting]]
    }),
  )
}

/** Returns the text that is shown and digested: text unchanged, other values as JSON with sorted keys. */
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
