import { defineKind, type AskOptions, type CatalogEntry, type MaybePromise } from '@skills/core'
import type { FoundEntries } from './catalog-search.js'

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
  /**
   * Texts of the conversation's last messages, the newest last, for a listing of the skills that fit them. Default: the
   * listing does not depend on what is asked.
   */
  readonly messages?: readonly string[] | undefined
  /** Names of the skills whose text the agent has. Default: none. */
  readonly inUse?: readonly string[] | undefined
  /** Skills of the agent itself, which the listing does not have and which take their share of the budget first. */
  readonly own?: readonly OwnSkill[] | undefined
}

/**
 * Context that {@link Listings} gives a formatter. The further members are absent where a formatter is called by itself.
 */
export interface FormatterContext extends ListingContext {
  /** All commands in their order, whose names are taken. Default: the listed ones. */
  readonly commands?: readonly CatalogEntry[] | undefined
  /** Returns the entries of names that the model may be told of, even ones that the catalog does not list. */
  named?(names: readonly string[], options: AskOptions): Promise<readonly CatalogEntry[]>
  /** Searches as the search tool does, also large sources, and leaves out what is denied. The best comes first. */
  find?(query: string, options: AskOptions & { readonly limit: number }): Promise<FoundEntries>
}

/** Skills that a listing has no place for, because others fit the conversation better. */
export interface Shortlisted {
  /** Number of skills that it was to have besides those that are pinned or in use. */
  readonly most: number
  /** Names of skills of the catalog that have no place. They are in `omitted` too. */
  readonly left: readonly string[]
  /** Number of skills of large sources, of which the listing has the best. */
  readonly beyond: number
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
  /** Present in a listing of the skills that fit a conversation best. */
  readonly shortlist?: Shortlisted | undefined
}

/** Makes the listing. See docs/reference/listing.md, "Listing". */
export interface Formatter {
  /** @param entries entries that the model may be told of, highest precedence first */
  format(
    entries: readonly CatalogEntry[],
    context: FormatterContext,
    call: { readonly signal: AbortSignal },
  ): MaybePromise<Listing>
}

/** Formatter of the listing. If it fails, the call that asked for a listing rejects. */
export const formatterKind = defineKind('formatter', { arity: 'one', limitMs: 10_000, onFailure: 'throw' })
