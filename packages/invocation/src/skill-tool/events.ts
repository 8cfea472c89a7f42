import type { Listing } from './formatter.js'

declare module '@skills/core' {
  interface EngineHooks {
    /** A listing was made that differs from the one before. */
    'listing:formatted': (event: { readonly listing: Listing; readonly agentId?: string | undefined }) => unknown
    /** The listing is incomplete: names were left out, or descriptions were shortened or left out. */
    'listing:truncated': (event: ListingTruncated) => unknown
  }
}

export interface ListingTruncated extends Pick<Listing, 'omitted' | 'truncated' | 'budgetChars' | 'usedChars'> {
  readonly agentId?: string | undefined
  readonly omittedCount: number
  readonly truncatedCount: number
  /** Entries that it was made from. */
  readonly total: number
}
