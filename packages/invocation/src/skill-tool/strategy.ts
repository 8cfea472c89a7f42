import { defineKind, type CatalogEntry } from '@skills/core'
import type { Listing } from './formatter.js'

declare module '@skills/core' {
  interface ProviderKinds {
    strategy: Strategy
  }
}

/**
 * Names of the strategies that plugins bring, by declaration merging: `declare module '@skills/invocation/skill-tool' {
 * interface Strategies { alphabetical: true } }`.
 */
export interface Strategies {}

/** What a strategy makes of its entries; the formatter adds what it was given and what that took. */
export type Draft = Pick<Listing, 'text' | 'entries' | 'omitted' | 'truncated'>

/** What of the agent and the time a listing depends on besides. */
export interface Moment {
  /** What the tool is called by which the agent finds what has no room. */
  readonly searchTool: string | undefined
  /** Counts up each hour and with the conversation: entries that have no place of their own can take turns by it. */
  readonly step: number
}

/**
 * One way to tell a model which skills there are: of a plugin, the one that `strategy` names by its id. See
 * docs/reference/listing.md, "Listing".
 */
export interface Strategy {
  /**
   * The order in which entries stand and room is given away. Asked each time, so that nothing is laid out anew that
   * stands as it stood.
   */
  order(entries: readonly CatalogEntry[]): readonly CatalogEntry[]
  /**
   * @param budget UTF-16 code units the text may take
   */
  lay(ordered: readonly CatalogEntry[], budget: number, moment: Moment): Draft
}

/** The caller hears that there is no listing. */
export const strategyKind = defineKind('strategy', { arity: 'many', limitMs: 10_000, onFailure: 'throw' })
