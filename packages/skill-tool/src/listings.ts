import { isModelVisible, SkillsError, type AskOptions, type CatalogEntry, type Skills } from '@skills/core'
import type { Listing, ListingContext } from './formatter.js'
import type { ListingTruncated } from './events.js'

export interface ListingsOptions {
  /** What a model may be told of. Default: model-visible skills, but for those that the user keeps to themselves and those that are dormant. */
  readonly isListed?: (entry: CatalogEntry) => boolean
}

/** Has the engine's formatter say which skills there are, and tells listeners what found no room. */
export class Listings {
  readonly #skills: Pick<Skills, 'catalog' | 'use' | 'emit'>
  readonly #isListed: (entry: CatalogEntry) => boolean
  readonly #told = new WeakSet<Listing>()

  constructor(skills: Pick<Skills, 'catalog' | 'use' | 'emit'>, { isListed = isListedToModels }: ListingsOptions = {}) {
    this.#skills = skills
    this.#isListed = isListed
  }

  /** Rejects with `E_MISSING_PROVIDER` without a formatter, an `AbortError`, and whatever loading and formatting throw. */
  async listing(context: ListingContext = {}, { signal }: AskOptions = {}): Promise<Listing> {
    const { entries } = await this.#skills.catalog({ signal })
    const listed = entries.filter(this.#isListed)
    const listing = await this.#skills.use('formatter').first((formatter, call) => formatter.format(listed, context, call), { signal })
    if (listing === undefined) throw new SkillsError('E_MISSING_PROVIDER', 'Nobody says which skills there are.', { hint: 'Register a formatter as a plugin.' })
    if (!this.#told.has(listing)) this.#tell(listing, context, listed.length)
    return listing
  }

  #tell(listing: Listing, { agentId }: ListingContext, total: number): void {
    this.#told.add(listing)
    this.#skills.emit('listing:formatted', { listing, agentId })
    const { omitted, truncated, budgetChars, usedChars } = listing
    if (omitted.length + truncated.length === 0) return
    const event: ListingTruncated = { agentId, omitted, truncated, omittedCount: omitted.length, truncatedCount: truncated.length, total, budgetChars, usedChars }
    this.#skills.emit('listing:truncated', event)
  }
}

function isListedToModels({ command, override, dormant }: CatalogEntry): boolean {
  return isModelVisible(command) && override !== 'user-only' && dormant === undefined
}
