import { defineProvider, type CatalogEntry, type Provider } from '@skills/core'
import type { Draft, ListingEntry, Strategy } from '@skills/invocation/skill-tool'

/** Escapes the signs of tags and quotes, as these programs do. */
export function inXml(text: string): string {
  return text.replace(/[&<>"']/g, sign => entities[sign] ?? sign)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Returns the description that a listing may show. Empty if the configuration wants only the name. */
export function shownDescription({ command, override }: CatalogEntry): string {
  return override === 'name-only' ? '' : command.description
}

/** Makes the entry of a listing. `shown` says how much of the description the text has. */
export function listedEntry(entry: CatalogEntry, text: string, shown: string): ListingEntry {
  const whole = entry.command.description
  const how = shown === whole ? 'whole' : shown === '' ? 'name' : 'cut'
  return { name: entry.name, text, shown: how }
}

/** Makes a draft from the text of a listing and its entries. */
export function draftFrom(text: string, entries: readonly ListingEntry[], omitted: readonly string[] = []): Draft {
  return { text, entries, omitted, truncated: entries.flatMap(({ name, shown }) => (shown === 'whole' ? [] : [name])) }
}

/** Orders entries by name, as the programs do that sort by locale. */
export function byName(entries: readonly CatalogEntry[]): readonly CatalogEntry[] {
  return entries.toSorted((one, other) => one.name.localeCompare(other.name, 'en'))
}

/**
 * Makes the listing of one program: a strategy whose id is the name of the program's distribution.
 * @param order default: the order of the catalog
 */
export function ownListing(
  id: string,
  lay: (ordered: readonly CatalogEntry[], budget: number) => Draft,
  order: Strategy['order'] = entries => entries,
): Provider<'strategy'> {
  return defineProvider({ kind: 'strategy', id, contract: 1, setup: (): Strategy => ({ order, lay }) })
}
