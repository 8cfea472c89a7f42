import type { ToldListing } from '@skills/host/internal'
import type { ListingJson } from '../api.js'

/** Room that the entries of one source take in a listing. */
interface Share {
  readonly source: string
  readonly count: number
  /** UTF-16 code units, each entry with the line feed after it. */
  readonly chars: number
}

/** Returns each source's share of a listing, in the order of the first entries. */
export function sharesOf({ listing, sources }: Pick<ToldListing, 'listing' | 'sources'>): readonly Share[] {
  const shares = new Map<string, Share>()
  for (const { name, text } of listing.entries) {
    const source = sources.get(name) ?? 'unknown'
    const { count = 0, chars = 0 } = shares.get(source) ?? {}
    shares.set(source, { source, count: count + 1, chars: chars + text.length + 1 })
  }
  return [...shares.values()]
}

/** Returns the listing as JSON. See docs/reference/output.md, "Listing output". */
export function listingJson(told: ToldListing): ListingJson {
  const { text, place, listing, contextWindow, sources, kept, told: byName } = told
  const { entries, omitted, truncated, budgetChars, usedChars } = listing
  const hasBudget = Number.isFinite(budgetChars)
  const left = new Set(listing.shortlist?.left)
  return {
    text,
    place,
    contextWindow: contextWindow ?? null,
    budgetChars: hasBudget ? budgetChars : null,
    usedChars,
    entries: entries.map(entry => ({
      name: entry.name,
      source: sources.get(entry.name) ?? null,
      shown: entry.shown,
      chars: entry.text.length,
      text: entry.text,
      toldChars: byName.get(entry.name)?.chars ?? 0,
      ofChars: byName.get(entry.name)?.of ?? 0,
    })),
    sources: sharesOf(told).map(({ source, chars, count }) => ({ source, chars, entries: count })),
    omitted: omitted.map(name => ({
      name,
      source: sources.get(name) ?? null,
      cause: left.has(name) ? 'strategy' : 'budget',
    })),
    truncated: truncated
      .filter(name => !omitted.includes(name))
      .map(name => ({
        name,
        source: sources.get(name) ?? null,
        cause: byName.get(name)?.cause === 'strategy' ? 'strategy' : 'budget',
      })),
    kept,
  }
}
