import { defineProvider, SkillsError, type CatalogEntry, type KindAccess, type Note, type Provider } from '@skills/core'
import { readUsage } from '@skills/invocation'
import { oneLine, type Formatter, type Listing, type Strategy } from '@skills/invocation/skill-tool'
import { ownChars, type FormatterContext } from '@skills/invocation/internal'
import { budgetFor, budgetOf, budgetVariable, type Budget } from './budget.js'
import { cutoff } from './cutoff.js'
import { dealt } from './dealt.js'
import { fair, type FairOptions } from './fair.js'
import {
  formatterSettings,
  ownStrategies,
  type AnyListing,
  type BudgetFormatterOptions,
  type ListingSettings,
  type FormatterSettings,
} from './strategy-options.js'
import { filling } from './filling.js'
import { fixed } from './fixed.js'
import { grouped } from './grouped.js'
import { layByTokens } from './count-tokens.js'
import { proportional } from './proportional.js'
import { choose, shortlist, type Chosen, type ChosenMoment } from './shortlist.js'
import { xml } from './xml.js'
import type { Use } from './rank.js'

/**
 * Makes the formatter of a listing within a budget. Throws `E_INVALID_OPTION`, also in the set-up for an unknown
 * strategy. Reports `invalid-budget` if the environment's budget is not a number. See docs/reference/listing.md,
 * "Listing".
 */
export function budgetFormatter(given: BudgetFormatterOptions = {}): Provider<'formatter', 'state' | 'strategy'> {
  const settings = formatterSettings(given as AnyListing)
  const ownUse = 'use' in settings ? settings.use : undefined
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
      let said: ListingSettings = {}
      const strategy =
        strategyOf(settings, {
          mostDescribed: most => said.maxDescription ?? most,
          use: () => ownUse ?? (counted.size === 0 ? undefined : usedBy),
          now: () => host.clock.now(),
        }) ?? (await otherStrategy(settings.strategy, use('strategy'), closing))
      const hour = (): number => Math.floor(host.clock.now() / 3_600_000)
      const formatter = new BudgetFormatter(strategy, settings, {
        hour,
        chars: configured === 'invalid' ? undefined : configured,
        read: () => (said = ('settings' in settings && settings.settings?.()) || {}),
      })
      const isByUse = settings.strategy === 'fair' || settings.strategy === 'shortlist'
      const isCounted = ownUse === undefined && isByUse && use('state').ids.length > 0
      if (!isCounted && settings.strategy !== 'shortlist') return formatter
      return {
        explain: (query: string) => formatter.explain(query),
        async format(entries, context, { signal }) {
          if (isCounted) counted = await readUsage(use('state'), signal)
          if (settings.strategy !== 'shortlist') return formatter.format(entries, context)
          const known = ownUse ?? (counted.size === 0 ? undefined : usedBy)
          const { most } = settings
          const chosen = await choose(entries, context, { most, use: known, now: () => host.clock.now(), signal })
          return formatter.format(chosen.entries, { ...context, chosen })
        },
      }
    },
  })
}

interface Made {
  readonly step: number
  readonly ordered: readonly CatalogEntry[]
  readonly listing: Listing
  readonly left: readonly string[]
}

/**
 * Number of listings in a conversation after which other unused entries get their turn, so that the prompt does not
 * change all the time. They also change every hour.
 */
const turnsEach = 10

/** Number of budgets whose listing is cached, because agents with different windows may alternate. */
const mostKept = 8

class BudgetFormatter implements Formatter {
  readonly #configured: number | undefined
  readonly #hour: () => number
  readonly #read: () => ListingSettings
  #turns = 0
  /** Listings by characters and search tool. Returning the same object as before means that nothing changed. */
  readonly #made = new Map<string, Made>()
  #last: Listing | undefined

  constructor(
    private readonly strategy: Strategy,
    private readonly settings: FormatterSettings,
    {
      chars,
      hour,
      read,
    }: { readonly chars: number | undefined; readonly hour: () => number; readonly read: () => ListingSettings },
  ) {
    this.#configured = chars
    this.#read = read
    this.#hour = hour
  }

  /** @param context.chosen choice that `entries` are; no turn changes what it has */
  format(
    entries: readonly CatalogEntry[],
    context: FormatterContext & { readonly chosen?: Chosen | undefined },
  ): Listing {
    const { contextWindow, agentId, searchTool, own = [], commands, chosen } = context
    const { fraction, maxDescription } = this.#read()
    const turn = this.#hour() + Math.floor((agentId === undefined ? this.#turns++ : this.#turns) / turnsEach)
    const step = chosen === undefined ? turn : 0
    const whole = this.#budgetFor(contextWindow, fraction)
    const most = maxDescription ?? ('maxDescription' in this.settings ? this.settings.maxDescription : Infinity)
    const budget = own.length > 0 ? { chars: Math.max(0, whole.chars - ownChars(own, most)) } : whole
    const ordered = this.strategy.order(entries, commands)
    const key = `${budget.chars} ${maxDescription ?? ''} ${chosen?.unlisted ?? ''} ${searchTool ?? ''}`
    const { left } = chosen?.shortlist ?? { left: none }
    const known = this.#made.get(key)
    const isCurrent =
      known !== undefined &&
      isSame(known.ordered, ordered) &&
      (known.step === step || isWhole(known.listing)) &&
      known.left.length === left.length &&
      known.left.every((name, at) => name === left[at])
    const listing = isCurrent ? known.listing : this.#lay(ordered, budget, { searchTool, step, chosen })
    if (!this.#made.has(key) && this.#made.size >= mostKept) this.#made.clear()
    this.#made.set(key, { ordered, listing, step, left })
    this.#last = listing
    return listing
  }

  #budgetFor(window: number | undefined, fraction: number | undefined): Budget {
    const settings = this.settings
    if ('fraction' in settings) return budgetFor(window, settings, this.#configured, fraction)
    return { chars: 'budget' in settings ? Math.floor(this.#configured ?? settings.budget) : Infinity }
  }

  /** Describes the cost of an entry in the last listing. */
  explain(query: string): readonly Note[] {
    const { entries = [], omitted = [], budgetChars = 0, shortlist: short } = this.#last ?? {}
    const entry = entries.find(({ name }) => name === query)
    if (entry !== undefined)
      return [
        {
          text: `Its entry in the listing takes ${entry.text.length}${Number.isFinite(budgetChars) ? ` of ${budgetChars}` : ''} characters${how[entry.shown]}.`,
        },
      ]
    if (short?.left.includes(query) === true)
      return [
        {
          text: `The listing has the ${short.most} skills that fit the conversation best, and the skill is none of them.`,
        },
      ]
    return omitted.includes(query)
      ? [
          {
            text: `The listing leaves the skill out, because the ${budgetChars} characters of the listing are used up.`,
          },
        ]
      : []
  }

  #lay(ordered: readonly CatalogEntry[], budget: Budget, moment: ChosenMoment): Listing {
    const tokens = 'tokens' in this.settings ? this.settings.tokens : undefined
    const lay = (chars: number): ReturnType<Strategy['lay']> => this.strategy.lay(ordered, chars, moment)
    const { draft, chars } =
      tokens === undefined || budget.tokens === undefined
        ? { draft: lay(budget.chars), chars: budget.chars }
        : layByTokens(lay, budget, tokens)
    const { chosen } = moment
    return {
      ...draft,
      budgetChars: chars,
      usedChars: draft.text.length,
      ...(chosen && { shortlist: chosen.shortlist }),
    }
  }
}

const none: readonly never[] = []

const isWhole = ({ omitted, truncated }: Listing): boolean => omitted.length + truncated.length === 0

const how = { whole: '', cut: '; its description is shortened', name: '; only its name is shown' }

/** True if these are the same commands under the same names. A reload makes new entries. */
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

/** Returns the strategy of this name from a plugin. */
async function otherStrategy(name: string, strategies: KindAccess<Strategy>, signal: AbortSignal): Promise<Strategy> {
  const [found] = await strategies.each(strategy => ({ strategy }), { only: [name], signal })
  if (found !== undefined) return found.value.strategy
  const known = [...Object.keys(ownStrategies), ...strategies.ids].join(', ')
  throw new SkillsError('E_INVALID_OPTION', `There is no listing strategy "${name}".`, {
    hint: `The strategies are ${known}.`,
  })
}

/** Returns one of our own strategies. Undefined if it is a plugin's. */
function strategyOf(
  settings: FormatterSettings,
  { mostDescribed, ...known }: Pick<FairOptions, 'use' | 'now'> & { readonly mostDescribed: (most: number) => number },
): Strategy | undefined {
  switch (settings.strategy) {
    case 'fair':
      return fair({ note: noteOf, ...settings, ...known })
    case 'shortlist':
      return shortlist({ note: noteOf, ...settings, ...known })
    case 'filling':
      return filling({ ...settings, mostDescribed: () => mostDescribed(settings.maxDescription) })
    case 'proportional':
      return proportional({ ...settings, mayExceed: settings.budget === undefined })
    case 'cutoff':
      return cutoff(settings)
    case 'fixed':
      return fixed(settings)
    case 'xml':
      return xml({ joiner: settings.joiner === 'newline' ? '\n' : ' ' })
    case 'dealt':
      return dealt(settings)
    case 'grouped':
      return grouped(settings)
    default:
      return undefined
  }
}

/** Returns the last line of a cut listing. No entry can imitate it, because entries begin with a hyphen. */
function noteOf(count: number, searchTool: string | undefined): string {
  const [are, them] = count === 1 ? ['skill is', 'it'] : ['skills are', 'them']
  const search = searchTool === undefined ? '' : `: search for ${them} by name or purpose with ${oneLine(searchTool)}`
  return `(${count} more ${are} not shown here${search}.)`
}
