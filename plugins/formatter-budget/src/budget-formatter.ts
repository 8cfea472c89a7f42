import { defineProvider, SkillsError, type CatalogEntry, type Note, type Provider } from '@skills/core'
import type { Escape, Formatter, Listing, ListingContext } from '@skills/skill-tool'
import { budgetFor, budgetOf, budgetVariable, type Budget, type BudgetOptions } from './budget.js'
import { fair } from './fair.js'
import { layByTokens } from './count-tokens.js'
import { proportional } from './proportional.js'
import type { Strategy } from './strategy.js'
import type { Use } from './rank.js'

export interface BudgetFormatterOptions extends BudgetOptions {
  /** Default: `fair`. */
  readonly strategy?: 'fair' | 'proportional'
  /** UTF-16 code units of a description with its when-to-use, the mark of a shortened one included. Default: 1,536. */
  readonly maxDescription?: number
  /** With less than this for each description there are fewer of them (`fair`, graphemes) or none (`proportional`, UTF-16 code units). Default: 20. */
  readonly minShare?: number
  /** Default: `tags`. */
  readonly escape?: Escape
  /** Whether a display name that differs from the name is shown behind it. Default: false. */
  readonly showsDisplayName?: boolean
  /** Counts a text's tokens, instead of `charsPerToken` characters each; called a few times for each listing. */
  readonly tokens?: ((text: string) => number) | undefined
  /** `fair`: what is known of a skill's use, for the order. */
  readonly use?: ((name: string) => Use | undefined) | undefined
  /** `fair`: part of every beginning of the order that belongs to entries never used so far, from 0 to 1. Default: 0.2. */
  readonly floor?: number
  /** `fair`: the line about skills that found no room, by how many they are. */
  readonly note?: (count: number) => string
}

/**
 * The listing within a budget. Throws `E_INVALID_OPTION`; reports `invalid-budget` when the environment's budget is no number.
 * See docs/reference.md, "Listing".
 */
export function budgetFormatter(options: BudgetFormatterOptions = {}): Provider<'formatter'> {
  check(options)
  return defineProvider({
    kind: 'formatter',
    id: 'budget',
    setup({ host, report }) {
      const configured = budgetOf(host)
      if (configured === 'invalid') {
        report({
          severity: 'warning', type: 'validation', code: 'invalid-budget', field: budgetVariable, message: `${budgetVariable} is "${host.env[budgetVariable] ?? ''}" and has no effect.`,
          hint: 'Set it to a positive number of characters, or unset it.',
        })
      }
      return new BudgetFormatter(strategyOf(options, () => host.clock.now()), options, configured === 'invalid' ? undefined : configured)
    },
  })
}

interface Made {
  readonly ordered: readonly CatalogEntry[]
  readonly listing: Listing
}

/** Budgets of which the listing is kept: agents with different windows ask in turn. */
const mostKept = 8

class BudgetFormatter implements Formatter {
  readonly #strategy: Strategy
  readonly #options: BudgetFormatterOptions
  readonly #configured: number | undefined
  /** By characters. Who gets the listing of before knows that nothing changed. */
  readonly #made = new Map<number, Made>()
  #last: Listing | undefined

  constructor(strategy: Strategy, options: BudgetFormatterOptions, configured: number | undefined) {
    this.#strategy = strategy
    this.#options = options
    this.#configured = configured
  }

  format(entries: readonly CatalogEntry[], { contextWindow }: ListingContext): Listing {
    const budget = budgetFor(contextWindow, this.#options, this.#configured)
    const ordered = this.#strategy.order(entries)
    const known = this.#made.get(budget.chars)
    const listing = known !== undefined && isSame(known.ordered, ordered) ? known.listing : this.#lay(ordered, budget)
    if (!this.#made.has(budget.chars) && this.#made.size >= mostKept) this.#made.clear()
    this.#made.set(budget.chars, { ordered, listing })
    this.#last = listing
    return listing
  }

  /** What an entry costs in the listing made last. */
  explain(query: string): readonly Note[] {
    const { entries = [], omitted = [], budgetChars = 0 } = this.#last ?? {}
    const entry = entries.find(({ name }) => name === query)
    if (entry !== undefined) return [{ text: `Its entry in the listing takes ${entry.text.length} of ${budgetChars} characters${how[entry.shown]}.` }]
    return omitted.includes(query) ? [{ text: `It found no room in the listing's ${budgetChars} characters.` }] : []
  }

  #lay(ordered: readonly CatalogEntry[], budget: Budget): Listing {
    const { tokens } = this.#options
    const lay = (chars: number): ReturnType<Strategy['lay']> => this.#strategy.lay(ordered, chars)
    const { draft, chars } = tokens === undefined || budget.tokens === undefined ? { draft: lay(budget.chars), chars: budget.chars } : layByTokens(lay, budget, tokens)
    return { ...draft, budgetChars: chars, usedChars: draft.text.length }
  }
}

const how = { whole: '', cut: ', its description is shortened', name: ', its name alone' }

/** Whether these are the same commands under the same names: a reload makes its entries anew. */
function isSame(one: readonly CatalogEntry[], other: readonly CatalogEntry[]): boolean {
  if (one === other) return true
  return one.length === other.length && one.every(({ name, command, override }, at) => {
    const counterpart = other[at]
    return command === counterpart?.command && name === counterpart.name && override === counterpart.override
  })
}

function strategyOf(options: BudgetFormatterOptions, now: () => number): Strategy {
  const { strategy = 'fair', maxDescription = 1536, minShare = 20, escape = 'tags', showsDisplayName = false, use, floor = 0.2, note = noteOf } = options
  const line = { maxDescription, escape, showsDisplayName, minShare }
  return strategy === 'fair' ? fair({ ...line, use, floor, note, now }) : proportional(line)
}

/** No entry can look like it: those begin with a hyphen. */
function noteOf(count: number): string {
  return `(${count} more ${count === 1 ? 'skill is' : 'skills are'} not shown here: search for ${count === 1 ? 'it' : 'them'} by name or purpose.)`
}

function check(options: BudgetFormatterOptions): void {
  const { strategy = 'fair', escape = 'tags' } = options
  const refuse = (name: string, value: unknown, hint: string): never => {
    throw new SkillsError('E_INVALID_OPTION', `The ${name} of the listing is ${JSON.stringify(value)}.`, { hint })
  }
  if (!['fair', 'proportional'].includes(strategy)) refuse('strategy', strategy, 'It can be fair or proportional.')
  if (!['tags', 'angles'].includes(escape)) refuse('escape', escape, 'It can be tags or angles.')
  for (const name of ['charsPerToken', 'budget', 'unknownWindow', 'maxDescription'] as const) {
    const value = options[name]
    if (value !== undefined && !(value > 0)) refuse(name, value, 'Give a number above 0.')
  }
  const { fraction = 1, floor = 0, minShare = 0 } = options
  if (!(fraction > 0 && fraction <= 1)) refuse('fraction', fraction, 'Give a number above 0 and at most 1.')
  if (!(floor >= 0 && floor <= 1)) refuse('floor', floor, 'Give a number from 0 to 1.')
  if (!(minShare >= 0)) refuse('minShare', minShare, 'Give a number that is not negative.')
}
