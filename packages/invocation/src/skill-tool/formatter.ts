import { defineKind, type CatalogEntry, type MaybePromise } from '@skills/core'

declare module '@skills/core' {
  interface ProviderKinds {
    formatter: Formatter
  }
}

export interface ListingContext {
  /** Tokens of the model's context window; undefined when it is not known. */
  readonly contextWindow?: number | undefined
  readonly agentId?: string | undefined
  /**
   * What the tool is called by which this agent searches for skills that find no room; a listing names no tool that is
   * not there.
   */
  readonly searchTool?: string | undefined
}

export interface ListingEntry {
  readonly name: string
  /** Its lines in the text. */
  readonly text: string
  /** `whole`; `cut`: its description is shortened; `name`: the name alone. */
  readonly shown: 'whole' | 'cut' | 'name'
}

/** What tells a model which skills there are. All lengths in UTF-16 code units. */
export interface Listing {
  readonly text: string
  readonly entries: readonly ListingEntry[]
  /** Names that found no room. */
  readonly omitted: readonly string[]
  /** Names whose description was shortened or left out. */
  readonly truncated: readonly string[]
  readonly budgetChars: number
  readonly usedChars: number
}

/** Makes the listing. See docs/reference/listing.md, "Listing". */
export interface Formatter {
  /** @param entries what the model may be told of, highest precedence first */
  format(
    entries: readonly CatalogEntry[],
    context: ListingContext,
    call: { readonly signal: AbortSignal },
  ): MaybePromise<Listing>
}

/** A formatter that fails makes the call that asked for a listing reject. */
export const formatterKind = defineKind('formatter', { arity: 'one', limitMs: 10_000, onFailure: 'throw' })
