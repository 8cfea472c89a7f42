import { defineProvider, SkillsError, type CatalogEntry, type Note, type Provider } from '@skills/core'
import { readUsage } from '@skills/invocation'
import { oneLine, searchToolName, type Escape, type Formatter, type Listing, type ListingContext } from '@skills/skill-tool'
import { budgetFor, budgetOf, budgetVariable, type Budget, type BudgetOptions } from './budget.js'
import { cutoff } from './cutoff.js'
import { fair, type FairOptions } from './fair.js'
import { fixed } from './fixed.js'
import { grouped } from './grouped.js'
import { layByTokens } from './count-tokens.js'
import { proportional } from './proportional.js'
import { xml } from './xml.js'
import type { Strategy } from './strategy.js'
import type { Use } from './rank.js'

export interface BudgetFormatterOptions extends BudgetOptions {
  /** Default: `fair`. */
  readonly strategy?: StrategyName
  /**
   * `fair`, `proportional`: UTF-16 code units of a description with its when-to-use, the mark of a shortened one included; default 1,536.
   * `fixed`: code points of a description, without a mark; default 100.
   */
  readonly maxDescription?: number
  /**
   * With less than this for each description, the mark of a shortened one included, there are fewer of them (`fair`, graphemes) or none
   * (`proportional`, UTF-16 code units). Default: 20.
   */
  readonly minShare?: number
  /** Default: `tags`. */
  readonly escape?: Exclude<Escape, 'none'>
  /** Whether a display name that differs from the name is shown behind it. Default: false. */
  readonly showsDisplayName?: boolean
  /**
   * Counts a text's tokens at once, instead of `charsPerToken` characters each. Called with the whole text, up to six times for each listing
   * that is laid out, and not at all for one that is as before. What is no number, or negative, is `E_INVALID_OPTION`.
   */
  readonly tokens?: ((text: string) => number) | undefined
  /** `fair`: what is known of a skill's use, for the order. Default: what executors counted, where something is remembered. */
  readonly use?: ((name: string) => Use | undefined) | undefined
  /** `fair`: part of every beginning of the order that belongs to entries never used so far, from 0 to 1. Default: 0.2. */
  readonly floor?: number
  /** `fair`: what the tool is called by which a model can search for skills that found no room; `false` where there is none. Default: `SkillSearch`. */
  readonly searchTool?: string | false
  /** `fair`: the line about skills that found no room, by how many they are. Default: one that names the search tool. */
  readonly note?: (count: number) => string
  /** `xml`: what stands between its lines. Default: `space`. */
  readonly joiner?: 'space' | 'newline'
}

const strategies = ['fair', 'proportional', 'cutoff', 'fixed', 'xml', 'grouped'] as const

export type StrategyName = (typeof strategies)[number]

/** These show everything, whatever it takes. */
const unlimited: readonly StrategyName[] = ['fixed', 'xml', 'grouped']
/** UTF-16 code units of `cutoff`, whatever the window. */
const cutoffBudget = 15_000

/**
 * The listing within a budget. Throws `E_INVALID_OPTION`; reports `invalid-budget` when the environment's budget is no number.
 * See docs/reference.md, "Listing".
 */
export function budgetFormatter(options: BudgetFormatterOptions = {}): Provider<'formatter', 'state'> {
  check(options)
  return defineProvider({
    kind: 'formatter',
    id: 'budget',
    wants: ['state'],
    setup({ host, report, use }) {
      const configured = budgetOf(host)
      if (configured === 'invalid') {
        report({
          severity: 'warning', type: 'validation', code: 'invalid-budget', field: budgetVariable, message: `${budgetVariable} is "${host.env[budgetVariable] ?? ''}" and has no effect.`,
          hint: 'Set it to a positive number of characters, or unset it.',
        })
      }
      let counted: ReadonlyMap<string, Use> = new Map()
      const usedBy = (name: string): Use | undefined => counted.get(name)
      const strategy = strategyOf(options, { use: () => options.use ?? (counted.size === 0 ? undefined : usedBy), now: () => host.clock.now() })
      const formatter = new BudgetFormatter(strategy, options, configured === 'invalid' ? undefined : configured)
      const { strategy: name = 'fair' } = options
      const isCounted = options.use === undefined && name === 'fair' && use('state').ids.length > 0
      if (!isCounted) return formatter
      return {
        explain: (query: string) => formatter.explain(query),
        async format(entries, context, { signal }) {
          counted = await readUsage(use('state'), signal)
          return formatter.format(entries, context)
        },
      }
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
    const budget = this.#budgetFor(contextWindow)
    const ordered = this.#strategy.order(entries)
    const known = this.#made.get(budget.chars)
    const listing = known !== undefined && isSame(known.ordered, ordered) ? known.listing : this.#lay(ordered, budget)
    if (!this.#made.has(budget.chars) && this.#made.size >= mostKept) this.#made.clear()
    this.#made.set(budget.chars, { ordered, listing })
    this.#last = listing
    return listing
  }

  #budgetFor(window: number | undefined): Budget {
    const { strategy = 'fair' } = this.#options
    if (unlimited.includes(strategy)) return { chars: Infinity }
    return budgetFor(window, strategy === 'cutoff' ? { budget: cutoffBudget, ...this.#options } : this.#options, this.#configured)
  }

  /** What an entry costs in the listing made last. */
  explain(query: string): readonly Note[] {
    const { entries = [], omitted = [], budgetChars = 0 } = this.#last ?? {}
    const entry = entries.find(({ name }) => name === query)
    if (entry !== undefined) return [{ text: `Its entry in the listing takes ${entry.text.length}${Number.isFinite(budgetChars) ? ` of ${budgetChars}` : ''} characters${how[entry.shown]}.` }]
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

function strategyOf(options: BudgetFormatterOptions, known: Pick<FairOptions, 'use' | 'now'>): Strategy {
  const { strategy = 'fair', maxDescription = strategy === 'fixed' ? 100 : 1536, minShare = 20, escape = 'tags', showsDisplayName = false, floor = 0.2, searchTool = searchToolName, note = noteNaming(searchTool) } = options
  const line = { maxDescription, escape, showsDisplayName, minShare }
  switch (strategy) {
    case 'fair': return fair({ ...line, ...known, floor, note })
    case 'proportional': return proportional({ ...line, mayExceed: options.budget === undefined })
    case 'cutoff': return cutoff({ escape })
    case 'fixed': return fixed({ escape, maxDescription })
    case 'xml': return xml({ joiner: options.joiner === 'newline' ? '\n' : ' ' })
    case 'grouped': return grouped({ escape })
  }
}

/** No entry can look like it: those begin with a hyphen. */
function noteNaming(searchTool: string | false): (count: number) => string {
  const tool = searchTool === false ? undefined : oneLine(searchTool)
  return count => {
    const [are, them] = count === 1 ? ['skill is', 'it'] : ['skills are', 'them']
    return `(${count} more ${are} not shown here${tool === undefined ? '' : `: search for ${them} by name or purpose with ${tool}`}.)`
  }
}

function check(options: BudgetFormatterOptions): void {
  const { strategy = 'fair', escape = 'tags', joiner = 'space' } = options
  const refuse = (name: string, value: unknown, hint: string): never => {
    throw new SkillsError('E_INVALID_OPTION', `The ${name} of the listing is ${JSON.stringify(value)}.`, { hint })
  }
  if (!strategies.includes(strategy)) refuse('strategy', strategy, `It can be ${strategies.join(', ')}.`)
  if (!['space', 'newline'].includes(joiner)) refuse('joiner', joiner, 'It can be space or newline.')
  if (!['tags', 'angles'].includes(escape)) refuse('escape', escape, 'It can be tags or angles.')
  for (const name of ['charsPerToken', 'budget', 'unknownWindow', 'maxDescription'] as const) {
    const value = options[name]
    if (value !== undefined && !(value > 0)) refuse(name, value, 'Give a number above 0.')
  }
  for (const name of ['tokens', 'use', 'note'] as const) {
    const value: unknown = options[name]
    if (value !== undefined && typeof value !== 'function') refuse(name, value, 'Give a function.')
  }
  const { fraction = 1, floor = 0, minShare = 0 } = options
  if (!(fraction > 0 && fraction <= 1)) refuse('fraction', fraction, 'Give a number above 0 and at most 1.')
  if (!(floor >= 0 && floor <= 1)) refuse('floor', floor, 'Give a number from 0 to 1.')
  if (!(minShare >= 0)) refuse('minShare', minShare, 'Give a number that is not negative.')
}
