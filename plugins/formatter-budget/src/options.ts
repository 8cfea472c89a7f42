import { checkOptions, SkillsError, type OptionNames } from '@skills/core'
import type { Escape, Strategies } from '@skills/invocation/skill-tool'
import type { AnyBudget, BudgetOptions } from './budget.js'
import type { Use } from './rank.js'

interface Described {
  /**
   * UTF-16 code units of a description with its when-to-use, the mark of a shortened one included. Default: 1,536.
   */
  readonly maxDescription?: number | undefined
  /**
   * With less than this for each description, the mark of a shortened one included, there are fewer of them (`fair`,
   * graphemes) or none (`proportional`, UTF-16 code units). Default: 20.
   */
  readonly minShare?: number | undefined
  /**
   * Whether a display name that differs from the name is shown behind it; `qualified`: with the plugin that it is of.
   * Default: false.
   */
  readonly showsDisplayName?: boolean | 'qualified' | undefined
}

interface Escaped {
  /** Default: `tags`. */
  readonly escape?: Exclude<Escape, 'none'> | undefined
}

/** The default strategy. */
export type FairListing = BudgetOptions &
  Described &
  Escaped & {
    readonly strategy?: 'fair' | undefined
    /**
     * What is known of a skill's use, for the order. Default: what executors counted, where something is remembered.
     */
    readonly use?: ((name: string) => Use | undefined) | undefined
    /**
     * Part of the places that belongs to entries which would not come so far, each in its turn, from 0 to 1. Default:
     * 0.2.
     */
    readonly floor?: number | undefined
    /**
     * The line about skills that found no room, by how many they are, and what the tool is called by which the agent
     * can search for them: undefined where it has none. Default: one that names the tool.
     */
    readonly note?: ((count: number, searchTool: string | undefined) => string) | undefined
  }

/** Names stay, and each in its turn has its whole description while there is room. */
export type FillingListing = BudgetOptions &
  Omit<Described, 'minShare'> &
  Escaped & {
    readonly strategy: 'filling'
    /** UTF-16 code units that a part of a window never comes to more than. Default: no bound. */
    readonly maxBudget?: number | undefined
  }

export type ProportionalListing = BudgetOptions & Described & Escaped & { readonly strategy: 'proportional' }

export interface CutoffListing extends Escaped {
  readonly strategy: 'cutoff'
  /** UTF-16 code units, for a window of any size; the environment comes before it. Default: 15,000. */
  readonly budget?: number | undefined
}

/** Shows everything, without a limit. */
export interface FixedListing extends Escaped {
  readonly strategy: 'fixed'
  /** Code points of a description, without a mark. Default: 100. */
  readonly maxDescription?: number | undefined
}

/** Shows everything, without a limit. */
export interface XmlListing {
  readonly strategy: 'xml'
  /** What stands between its lines. Default: `space`. */
  readonly joiner?: 'space' | 'newline' | undefined
}

/** Shows everything, without a limit. */
export interface GroupedListing extends Escaped {
  readonly strategy: 'grouped'
}

/** A strategy of a plugin, by the id of its provider. */
export type OtherListing = BudgetOptions & { readonly strategy: keyof Strategies }

type OwnListing =
  | FairListing
  | FillingListing
  | ProportionalListing
  | CutoffListing
  | FixedListing
  | XmlListing
  | GroupedListing

/** One shape for each strategy: an option that a strategy has no use for is refused. */
export type BudgetFormatterOptions = OwnListing | OtherListing

/** The strategies that need no plugin. */
export type OwnStrategy = NonNullable<OwnListing['strategy']>

export type StrategyName = OwnStrategy | keyof Strategies

/** What any of them may say, for a host that adjusts a strategy which it does not name; the formatter checks it. */
export interface AnyListing
  extends
    AnyBudget,
    Described,
    Escaped,
    Pick<FairListing, 'use' | 'floor' | 'note'>,
    Pick<FillingListing, 'maxBudget'>,
    Pick<XmlListing, 'joiner'> {
  readonly strategy?: StrategyName | undefined
}

const budgets = { budget: 1, fraction: 1, charsPerToken: 1, unknownWindow: 1, tokens: 1 } as const
const lines = { strategy: 1, ...budgets, maxDescription: 1, minShare: 1, showsDisplayName: 1, escape: 1 } as const
const fair: OptionNames<FairListing> = { ...lines, use: 1, floor: 1, note: 1 }
const { minShare: _, ...unshared } = lines
const filling: OptionNames<FillingListing> = { ...unshared, maxBudget: 1 }
const proportional: OptionNames<ProportionalListing> = lines
const cutoff: OptionNames<CutoffListing> = { strategy: 1, budget: 1, escape: 1 }
const fixed: OptionNames<FixedListing> = { strategy: 1, maxDescription: 1, escape: 1 }
const xml: OptionNames<XmlListing> = { strategy: 1, joiner: 1 }
const grouped: OptionNames<GroupedListing> = { strategy: 1, escape: 1 }
const other: OptionNames<OtherListing> = { strategy: 1, ...budgets }
/** The options that each strategy has. */
export const namesOf: Readonly<Record<OwnStrategy, Readonly<Record<string, 1>>>> = {
  fair,
  filling,
  proportional,
  cutoff,
  fixed,
  xml,
  grouped,
}

/** Whether a strategy needs no plugin. */
export function isOwnStrategy(name: StrategyName): name is OwnStrategy {
  return Object.hasOwn(namesOf, name)
}

/** Throws `E_INVALID_OPTION` for what is not accepted, and for what has no effect beside the others. */
export function checkFormatterOptions(options: AnyListing): void {
  const { strategy = 'fair', escape = 'tags', joiner = 'space', budget } = options
  const refuse = (name: string, value: unknown, hint: string): never => {
    throw new SkillsError('E_INVALID_OPTION', `The ${name} of the listing is ${JSON.stringify(value)}.`, { hint })
  }
  if (typeof strategy !== 'string') refuse('strategy', strategy, 'Give the name of one.')
  checkOptions<Record<string, unknown>>(
    `budgetFormatter() with the strategy "${strategy}"`,
    options,
    isOwnStrategy(strategy) ? namesOf[strategy] : other,
  )
  if (!['space', 'newline'].includes(joiner)) refuse('joiner', joiner, 'It can be space or newline.')
  if (!['tags', 'angles'].includes(escape)) refuse('escape', escape, 'It can be tags or angles.')
  for (const name of ['charsPerToken', 'budget', 'maxBudget', 'unknownWindow', 'maxDescription'] as const) {
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
  const idle = (['fraction', 'charsPerToken', 'unknownWindow', 'tokens'] as const).find(
    name => options[name] !== undefined,
  )
  if (budget !== undefined && idle !== undefined)
    refuse('budget', budget, `Beside it ${idle} has no effect: give one of the two.`)
}
