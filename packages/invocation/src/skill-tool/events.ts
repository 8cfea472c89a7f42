import type { Listing } from './formatter.js'

declare module '@skills/core' {
  interface EngineHooks {
    /** A listing was made that is not the one of before. */
    'listing:formatted': (event: { readonly listing: Listing; readonly agentId?: string | undefined }) => unknown
    /** It does not say everything: names that found no room, and those whose description is shortened or left out. */
    'listing:truncated': (event: ListingTruncated) => unknown
  }
}

export interface ListingTruncated extends Pick<Listing, 'omitted' | 'truncated' | 'budgetChars' | 'usedChars'> {
  readonly agentId?: string | undefined
  readonly omittedCount: number
  readonly truncatedCount: number
  /** Entries it was made of. */
  readonly total: number
}
