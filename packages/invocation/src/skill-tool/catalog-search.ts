import { abortError, type AskOptions, type Catalog, type CatalogEntry } from '@skills/core'
import { oneLine } from './one-line.js'
import { searchIndex, type SearchIndex } from './search-index.js'
import { searchTextOf } from './search-text.js'
import type { CatalogOptions, LargeCommands } from '@skills/core/internal'

/** Part of a search result that is about large sources. */
export interface LargeSearched {
  /** Number of skills that large sources have in all; absent without such a source. `total` counts few of them. */
  readonly inLargeSources?: number
  /** Sentences about large sources that could not be searched; absent if all were. */
  readonly notSearched?: readonly string[]
}

export interface FoundEntries extends LargeSearched {
  /** The best first. */
  readonly entries: readonly CatalogEntry[]
}

/** Functions of the engine that a search calls. Without `large` there are no large sources. */
interface SearchedEngine {
  catalog(options?: CatalogOptions): Promise<Catalog>
  large?(options: AskOptions): Promise<LargeCommands | undefined>
}

interface Searchable {
  readonly entries: readonly CatalogEntry[]
  readonly index: SearchIndex
}

/** Searches what the catalog lists, and what large sources have, by one query. */
export class CatalogSearch {
  readonly #engine: SearchedEngine
  readonly #isTold: (entry: CatalogEntry) => boolean
  readonly #searchable = new WeakMap<Catalog, Promise<Searchable>>()

  /** @param isTold true for entries that may be found */
  constructor(engine: SearchedEngine, isTold: (entry: CatalogEntry) => boolean) {
    this.#engine = engine
    this.#isTold = isTold
  }

  /**
   * Finds entries, before any rule is asked.
   * @param options.limit most entries of a large source; of the catalog all are returned
   */
  async find(query: string, { limit, signal }: AskOptions & { readonly limit: number }): Promise<FoundEntries> {
    const catalog = await this.#engine.catalog({ signal })
    const { entries, index } = await this.#searchableOf(catalog.listed)
    if (signal?.aborted === true) throw abortError(signal)
    const listed = index.search(query).flatMap(({ at }) => {
      const entry = entries[at]
      return entry !== undefined && catalog.get(entry.name) === entry && this.#isTold(entry) ? [entry] : []
    })
    const large = await this.#engine.large?.({ signal })
    if (large === undefined) return { entries: listed }
    const counts = await large.count({ signal })
    const { answers, incomplete } = await large.search(query, { limit, signal })
    return {
      entries: fused([listed, ...answers.map(({ value }) => value.filter(this.#isTold))]),
      inLargeSources: counts.reduce((sum, { value }) => sum + value, 0),
      ...(incomplete.length > 0 && { notSearched: incomplete.map(({ reason }) => oneLine(reason)) }),
    }
  }

  /** Returns the index of a catalog. All calls share it, so the abort of one call does not stop it for the others. */
  #searchableOf(catalog: Catalog): Promise<Searchable> {
    const known = this.#searchable.get(catalog)
    if (known !== undefined) return known
    const made = makeSearchable(catalog)
    this.#searchable.set(catalog, made)
    made.catch(() => this.#searchable.delete(catalog))
    return made
  }
}

/** How much less a rank counts than the one before (k of reciprocal rank fusion). */
const rankOffset = 60

/** Joins lists by the ranks of their entries, since scores of different searches cannot be compared. */
function fused(lists: readonly (readonly CatalogEntry[])[]): readonly CatalogEntry[] {
  const scores = new Map<string, { readonly entry: CatalogEntry; score: number }>()
  for (const list of lists) {
    for (const [rank, entry] of list.entries()) {
      const known = scores.get(entry.name) ?? { entry, score: 0 }
      known.score += 1 / (rankOffset + rank)
      scores.set(entry.name, known)
    }
  }
  return [...scores.values()].toSorted((a, b) => b.score - a.score).map(({ entry }) => entry)
}

/** Indexes disabled entries too: one may switch itself on again. */
async function makeSearchable({ entries, disabled }: Catalog): Promise<Searchable> {
  const all = [...entries, ...disabled]
  return { entries: all, index: await searchIndex(all.map(entry => searchTextOf(entry.command, entry.name))) }
}
