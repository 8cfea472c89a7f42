import { defineKind, type CatalogEntry, type MaybePromise } from '@skills/core'

declare module '@skills/core' {
  interface ProviderKinds {
    formatter: Formatter
  }
}

/** Name of a skill, and the UTF-16 code units of its description; 0 if it is listed by its name. */
export type OwnSkill = readonly [name: string, units: number]

export interface ListingContext {
  /** Tokens of the model's context window; undefined if unknown. */
  readonly contextWindow?: number | undefined
  readonly agentId?: string | undefined
  /**
   * Name of the tool by which this agent searches for skills that were left out. Undefined: the listing names no such
   * tool.
   */
  readonly searchTool?: string | undefined
  /** All commands in their order, whose names are taken. Default: the listed ones. */
  readonly commands?: readonly CatalogEntry[] | undefined
  /** Skills of the agent itself, which the listing does not have and which take their share of the budget first. */
  readonly own?: readonly OwnSkill[] | undefined
}

export interface ListingEntry {
  readonly name: string
  /** Lines of the entry in the text. */
  readonly text: string
  /** `whole`: in full; `cut`: with a shortened description; `name`: with the name alone. */
  readonly shown: 'whole' | 'cut' | 'name'
  /** True if the description is longer than the listing shows of any, however much room it has. */
  readonly isCapped?: true | undefined
}

/** Text that tells a model which skills there are. All lengths are in UTF-16 code units. */
export interface Listing {
  readonly text: string
  readonly entries: readonly ListingEntry[]
  /** Names that were left out for lack of space. */
  readonly omitted: readonly string[]
  /** Names whose description was shortened or left out. */
  readonly truncated: readonly string[]
  readonly budgetChars: number
  readonly usedChars: number
}

/** Makes the listing. See docs/reference/listing.md, "Listing". */
export interface Formatter {
  /** @param entries entries that the model may be told of, highest precedence first */
  format(
    entries: readonly CatalogEntry[],
    context: ListingContext,
    call: { readonly signal: AbortSignal },
  ): MaybePromise<Listing>
}

/** Formatter of the listing. If it fails, the call that asked for a listing rejects. */
export const formatterKind = defineKind('formatter', { arity: 'one', limitMs: 10_000, onFailure: 'throw' })
