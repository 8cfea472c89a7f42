import { defineKind, type CatalogEntry } from '@skills/core'
import type { Listing } from './formatter.js'

declare module '@skills/core' {
  interface ProviderKinds {
    strategy: Strategy
  }
}

/**
 * Names of the strategies that plugins bring. Plugins add a name by declaration merging: `declare module
 * '@skills/invocation/skill-tool' { interface Strategies { alphabetical: true } }`.
 */
export interface Strategies {}

/** Result of a strategy. The formatter adds the budget and the space used. */
export type Draft = Pick<Listing, 'text' | 'entries' | 'omitted' | 'truncated'>

/** Agent and time for which a listing is made. */
export interface Moment {
  /** Name of the tool by which the agent finds skills that were left out; undefined if it has none. */
  readonly searchTool: string | undefined
  /** Number that grows each hour and with the conversation. Entries without a fixed place can take turns by it. */
  readonly step: number
}

/**
 * One way to tell a model which skills there are. A plugin registers a strategy, and the option `strategy` selects it
 * by its id. See docs/reference/listing.md, "Listing".
 */
export interface Strategy {
  /**
   * Returns the entries in the order in which they are shown and get space. Called each time: if the order is the same
   * as before, the earlier layout is used again.
   * @param commands all commands in their order, whose names are taken
   */
  order(entries: readonly CatalogEntry[], commands?: readonly CatalogEntry[]): readonly CatalogEntry[]
  /**
   * Writes the listing.
   * @param budget longest text in UTF-16 code units
   */
  lay(ordered: readonly CatalogEntry[], budget: number, moment: Moment): Draft
}

/** Strategies of the listing. If one fails, the caller that asked for a listing gets the error. */
export const strategyKind = defineKind('strategy', { arity: 'many', limitMs: 10_000, onFailure: 'throw' })
