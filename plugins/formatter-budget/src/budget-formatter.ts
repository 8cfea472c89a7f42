import { defineProvider, SkillsError, type CatalogEntry, type KindAccess, type Note, type Provider } from '@skills/core'
import { readUsage } from '@skills/invocation'
import {
  oneLine,
  type Formatter,
  type Listing,
  type ListingContext,
  type Moment,
  type Strategy,
} from '@skills/invocation/skill-tool'
import { budgetFor, budgetOf, budgetVariable, type Budget } from './budget.js'
import { cutoff } from './cutoff.js'
import { fair, type FairOptions } from './fair.js'
import {
  checkFormatterOptions,
  isOwnStrategy,
  namesOf,
  type AnyListing,
  type BudgetFormatterOptions,
  type OwnStrategy,
  type StrategyName,
} from './options.js'
import { filling } from './filling.js'
import { fixed } from './fixed.js'
import { grouped } from './grouped.js'
import { layByTokens } from './count-tokens.js'
import { proportional } from './proportional.js'
import { xml } from './xml.js'
import type { Use } from './rank.js'

/** These show everything, without a limit. */
const unlimited: readonly StrategyName[] = ['fixed', 'xml', 'grouped']
/** UTF-16 code units of `cutoff`, for a window of any size. */
const cutoffBudget = 15_000

/**
 * The listing within a budget. Throws `E_INVALID_OPTION`, setting it up for a strategy that there is not; reports
 * `invalid-budget` when the environment's budget is no number. See docs/reference/listing.md, "Listing".
 */
export function budgetFormatter(given: BudgetFormatterOptions = {}): Provider<'formatter', 'state' | 'strategy'> {
  const options: AnyListing = given
  checkFormatterOptions(options)
  return defineProvider({
    kind: 'formatter',
    id: 'budget',
    wants: ['state', 'strategy'],
    async setup({ host, report, use, signal: closing }) {
      const configured = budgetOf(host)
      if (configured === 'invalid') {
        report({
          severity: 'warning',
          type: 'validation',
          code: 'invalid-budget',
          field: budgetVariable,
          message: `${budgetVariable} is "${host.env[budgetVariable] ?? ''}" and has no effect.`,
          hint: 'Set it to a positive number of characters, or unset it.',
        })
      }
      let counted: ReadonlyMap<string, Use> = new Map()
      const usedBy = (name: string): Use | undefined => counted.get(name)
      const { strategy: name = 'fair' } = options
      const strategy = !isOwnStrategy(name)
        ? await otherStrategy(name, use('strategy'), closing)
        : strategyOf(name, options, {
            use: () => options.use ?? (counted.size === 0 ? undefined : usedBy),
            now: () => host.clock.now(),
          })
      const hour = (): number => Math.floor(host.clock.now() / 3_600_000)
      const formatter = new BudgetFormatter(strategy, options, {
        hour,
        chars: configured === 'invalid' ? undefined : configured,
      })
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
  readonly step: number
  readonly ordered: readonly CatalogEntry[]
  readonly listing: Listing
}

/**
 * Listings for a conversation until entries never used so far take turns: its prompt is not to change all the time.
 * They do so each hour besides.
 */
const turnsEach = 10

/** Budgets of which the listing is kept: agents with different windows ask in turn. */
const mostKept = 8

class BudgetFormatter implements Formatter {
  readonly #configured: number | undefined
  readonly #hour: () => number
  #turns = 0
  /** By characters, and the tool that is named. Who gets the listing of before knows that nothing changed. */
  readonly #made = new Map<string, Made>()
  #last: Listing | undefined

  constructor(
    private readonly strategy: Strategy,
    private readonly options: AnyListing,
    { chars, hour }: { readonly chars: number | undefined; readonly hour: () => number },
  ) {
    this.#configured = chars
    this.#hour = hour
  }

  format(entries: readonly CatalogEntry[], { contextWindow, agentId, searchTool }: ListingContext): Listing {
    const step = this.#hour() + Math.floor((agentId === undefined ? this.#turns++ : this.#turns) / turnsEach)
    const budget = this.#budgetFor(contextWindow)
    const ordered = this.strategy.order(entries)
    const key = `${budget.chars} ${searchTool ?? ''}`
    const known = this.#made.get(key)
    const isCurrent =
      known !== undefined && isSame(known.ordered, ordered) && (known.step === step || isWhole(known.listing))
    const listing = isCurrent ? known.listing : this.#lay(ordered, budget, { searchTool, step })
    if (!this.#made.has(key) && this.#made.size >= mostKept) this.#made.clear()
    this.#made.set(key, { ordered, listing, step })
    this.#last = listing
    return listing
  }

  #budgetFor(window: number | undefined): Budget {
    const { strategy = 'fair' } = this.options
    if (unlimited.includes(strategy)) return { chars: Infinity }
    return budgetFor(
      window,
      strategy === 'cutoff' ? { budget: cutoffBudget, ...this.options } : this.options,
      this.#configured,
    )
  }

  /** What an entry costs in the listing made last. */
  explain(query: string): readonly Note[] {
    const { entries = [], omitted = [], budgetChars = 0 } = this.#last ?? {}
    const entry = entries.find(({ name }) => name === query)
    if (entry !== undefined)
      return [
        {
          text: `Its entry in the listing takes ${entry.text.length}${Number.isFinite(budgetChars) ? ` of ${budgetChars}` : ''} characters${how[entry.shown]}.`,
        },
      ]
    return omitted.includes(query) ? [{ text: `It found no room in the listing's ${budgetChars} characters.` }] : []
  }

  #lay(ordered: readonly CatalogEntry[], budget: Budget, moment: Moment): Listing {
    const { tokens } = this.options
    const lay = (chars: number): ReturnType<Strategy['lay']> => this.strategy.lay(ordered, chars, moment)
    const { draft, chars } =
      tokens === undefined || budget.tokens === undefined
        ? { draft: lay(budget.chars), chars: budget.chars }
        : layByTokens(lay, budget, tokens)
    return { ...draft, budgetChars: chars, usedChars: draft.text.length }
  }
}

const isWhole = ({ omitted, truncated }: Listing): boolean => omitted.length + truncated.length === 0

const how = { whole: '', cut: ', its description is shortened', name: ', its name alone' }

/** Whether these are the same commands under the same names: a reload makes its entries anew. */
function isSame(one: readonly CatalogEntry[], other: readonly CatalogEntry[]): boolean {
  if (one === other) return true
  return (
    one.length === other.length &&
    one.every(({ name, command, override }, at) => {
      const counterpart = other[at]
      return command === counterpart?.command && name === counterpart.name && override === counterpart.override
    })
  )
}

/** The strategy that a plugin has under this name. */
async function otherStrategy(
  name: StrategyName,
  strategies: KindAccess<Strategy>,
  signal: AbortSignal,
): Promise<Strategy> {
  const [found] = await strategies.each(strategy => ({ strategy }), { only: [name], signal })
  if (found !== undefined) return found.value.strategy
  const known = [...Object.keys(namesOf), ...strategies.ids].join(', ')
  throw new SkillsError('E_INVALID_OPTION', `The strategy of the listing is "${name}".`, {
    hint: `It can be ${known}.`,
  })
}

function strategyOf(strategy: OwnStrategy, options: AnyListing, known: Pick<FairOptions, 'use' | 'now'>): Strategy {
  const {
    maxDescription = strategy === 'fixed' ? 100 : 1536,
    minShare = 20,
    escape = 'tags',
    showsDisplayName = false,
    floor = 0.2,
    note = noteOf,
  } = options
  const line = { maxDescription, escape, showsDisplayName, minShare }
  switch (strategy) {
    case 'fair':
      return fair({ ...line, ...known, floor, note })
    case 'filling':
      return filling(line)
    case 'proportional':
      return proportional({ ...line, mayExceed: options.budget === undefined })
    case 'cutoff':
      return cutoff({ escape })
    case 'fixed':
      return fixed({ escape, maxDescription })
    case 'xml':
      return xml({ joiner: options.joiner === 'newline' ? '\n' : ' ' })
    case 'grouped':
      return grouped({ escape })
  }
}

/** No entry can look like it: those begin with a hyphen. */
function noteOf(count: number, searchTool: string | undefined): string {
  const [are, them] = count === 1 ? ['skill is', 'it'] : ['skills are', 'them']
  const search = searchTool === undefined ? '' : `: search for ${them} by name or purpose with ${oneLine(searchTool)}`
  return `(${count} more ${are} not shown here${search}.)`
}
