import * as s from '@skills/core/schema'
import { SkillsError, type AskOptions, type CatalogEntry, type MaybePromise, type Skills } from '@skills/core'
import type { CatalogSearch } from './catalog-search.js'
import type { FormatterContext, Listing, ListingContext } from './formatter.js'
import type { ListingTruncated } from './events.js'
import { listedBy } from './views.js'

const listingsOptions = s.options('new Listings()', {
  /**
   * True for entries that a model may be told of. Default: model-visible skills, except those that the user keeps to
   * themselves and dormant ones.
   */
  isListed: s.fn<(entry: CatalogEntry) => boolean>(),
  /** Returns the denied entries, which are left out. Called once for each listing. Default: none is denied. */
  denied:
    s.fn<
      (
        entries: readonly CatalogEntry[],
        options: AskOptions,
        context: ListingContext,
      ) => MaybePromise<ReadonlySet<CatalogEntry>>
    >(),
  /** Called for each entry when an agent is named; an entry denied to it is left out. Default: none is denied. */
  isDenied: s.fn<(entry: CatalogEntry, options: AskOptions) => MaybePromise<boolean>>(),
})

export interface ListingsOptions extends s.OptionsOf<typeof listingsOptions> {}

/** Rules are asked for so many skills found for each place, since some may be denied. */
const perPlace = 4

/** Entries that each listing was made of. */
const listedIn = new WeakMap<Listing, readonly CatalogEntry[]>()

/** Returns which skill has each name in a listing; see {@link ownerOf}. Empty for a listing of another origin. */
export function ownersIn(listing: Listing): ReadonlyMap<string, string> {
  return new Map(listedIn.get(listing)?.map(entry => [entry.name, ownerOf(entry)]))
}

/** Returns a text that tells the skill from others that may have its name later: its source and its file. */
export function ownerOf({ command }: Pick<CatalogEntry, 'command'>): string {
  return `${command.source}\0${command.type === 'prompt' ? (command.filePath ?? '') : ''}`
}

/** Functions of the engine that a listing needs. Without `large` the engine has no large sources. */
type ListedSkills = Pick<Skills, 'catalog' | 'use' | 'emit'> & Partial<Pick<Skills, 'large'>>

/** Makes listings with the engine's formatter, and emits an event for skills that were cut or left out. */
export class Listings {
  readonly #skills: ListedSkills
  readonly #isListed: (entry: CatalogEntry) => boolean
  readonly #denied: ListingsOptions['denied']
  readonly #isDenied: ListingsOptions['isDenied']
  readonly #told = new WeakSet<Listing>()
  #search: Promise<CatalogSearch> | undefined

  constructor(skills: ListedSkills, given?: ListingsOptions) {
    const { isListed = isListedToModels, denied, isDenied } = listingsOptions.read(given)
    this.#skills = skills
    this.#denied = denied
    this.#isDenied = isDenied
    this.#isListed = isListed
  }

  /**
   * Makes the listing for an agent.
   * @throws SkillsError `E_MISSING_PROVIDER` without a formatter, `E_PROVIDER_FAILED` if it returns no listing; an
   * `AbortError`; errors of loading and formatting
   */
  async listing(context: ListingContext = {}, { signal }: AskOptions = {}): Promise<Listing> {
    const catalog = await this.#skills.catalog({ signal })
    const { entries } = catalog
    const listed = await this.#allowed(entries.filter(this.#isListed), context, signal)
    const found = new Set<CatalogEntry>()
    const given: FormatterContext = {
      ...context,
      commands: entries,
      named: (names, asking) => {
        const told = names.flatMap(name => catalog.get(name) ?? []).filter(this.#isListed)
        return this.#allowed(told, context, asking.signal)
      },
      find: async (query, { limit, signal: asking }) => {
        const search = await (this.#search ??= this.#makeSearch())
        const { entries: all, ...more } = await search.find(query, { limit, signal: asking })
        const allowed = await this.#allowed(all.slice(0, limit * perPlace), context, asking)
        for (const entry of allowed) found.add(entry)
        return { entries: allowed.slice(0, limit), ...more }
      },
    }
    const listing = await this.#skills
      .use('formatter')
      .first((formatter, call) => formatter.format(listed, given, call), { signal })
    if (listing === undefined)
      throw new SkillsError('E_MISSING_PROVIDER', 'No formatter is registered, so there is no listing of skills.', {
        hint: 'Register a formatter as a plugin.',
      })
    const wrong = problemOf(listing)
    if (wrong !== undefined)
      throw new SkillsError('E_PROVIDER_FAILED', `The answer of the formatter is not a listing: ${wrong}.`, {
        hint: 'Report this problem to the author of that formatter.',
      })
    if (!this.#told.has(listing)) this.#tell(listing, context, listed.length)
    listedIn.set(listing, found.size === 0 ? listed : [...new Set([...listed, ...found])])
    return listing
  }

  /** Returns the entries that no rule denies. */
  async #allowed(
    told: readonly CatalogEntry[],
    context: ListingContext,
    signal: AbortSignal | undefined,
  ): Promise<readonly CatalogEntry[]> {
    const denied = await this.#denied?.(told, { signal }, context)
    const offered = denied === undefined || denied.size === 0 ? told : told.filter(entry => !denied.has(entry))
    return context.agentId === undefined || this.#isDenied === undefined
      ? offered
      : await notDenied(offered, this.#isDenied, { signal })
  }

  /** Few formatters search, so the search is loaded when one does. */
  async #makeSearch(): Promise<CatalogSearch> {
    const { CatalogSearch: Search } = await import('./catalog-search.js')
    const { large } = this.#skills
    return new Search(
      {
        catalog: options => this.#skills.catalog(options),
        ...(large && { large: (options: AskOptions) => large.call(this.#skills, options) }),
      },
      this.#isListed,
    )
  }

  #tell(listing: Listing, { agentId }: ListingContext, total: number): void {
    this.#told.add(listing)
    this.#skills.emit('listing:formatted', { listing, agentId })
    const { omitted, truncated, budgetChars, usedChars } = listing
    if (omitted.length + truncated.length === 0) return
    const event: ListingTruncated = {
      agentId,
      omitted,
      truncated,
      omittedCount: omitted.length,
      truncatedCount: truncated.length,
      total,
      budgetChars,
      usedChars,
    }
    this.#skills.emit('listing:truncated', event)
  }
}

/** Returns a clause that says why a formatter's answer is not a listing; undefined if it is one. */
function problemOf(listing: unknown): string | undefined {
  if (typeof listing !== 'object' || listing === null) return 'it is not an object'
  const { text, entries, omitted, truncated, budgetChars, usedChars }: Partial<Record<keyof Listing, unknown>> = listing
  if (typeof text !== 'string') return 'its text is not a string'
  const lists = Object.entries({ entries, omitted, truncated }).find(([, list]) => !Array.isArray(list))
  if (lists !== undefined) return `its ${lists[0]} is not a list`
  return typeof budgetChars === 'number' && typeof usedChars === 'number'
    ? undefined
    : 'its budgetChars or usedChars is not a number'
}

async function notDenied(
  entries: readonly CatalogEntry[],
  isDenied: NonNullable<ListingsOptions['isDenied']>,
  options: AskOptions,
): Promise<readonly CatalogEntry[]> {
  const left: CatalogEntry[] = []
  for (const entry of entries) if (!(await isDenied(entry, options))) left.push(entry)
  return left
}

/**
 * True for entries that a listing may show to a model by default: entries that pass `isModelVisible` of core, except
 * dormant ones and those that users keep to themselves (`user-only`).
 */
export const isListedToModels = listedBy()
