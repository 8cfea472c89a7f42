import type { CatalogEntry, MaybePromise } from '@skills/core'

/** An entry of a listing, as `ListingEntry` of `@skills/invocation/skill-tool`. */
export interface ListingEntryShape {
  readonly name: string
  readonly text: string
  readonly shown: 'whole' | 'cut' | 'name'
}

/** A listing, as `Listing` of `@skills/invocation/skill-tool`. All lengths in UTF-16 code units. */
export interface ListingShape {
  readonly text: string
  readonly entries: readonly ListingEntryShape[]
  readonly omitted: readonly string[]
  readonly truncated: readonly string[]
  readonly budgetChars: number
  readonly usedChars: number
}

/** A formatter that is set up, as `Formatter` of `@skills/invocation/skill-tool`. */
export interface FormatterShape {
  format(
    entries: readonly CatalogEntry[],
    context: { readonly contextWindow?: number | undefined; readonly agentId?: string | undefined; readonly searchTool?: string | undefined },
    call: { readonly signal: AbortSignal },
  ): MaybePromise<ListingShape>
}
