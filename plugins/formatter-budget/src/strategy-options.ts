import * as s from '@skills/core/schema'
import { SkillsError } from '@skills/core'
import type { Strategies } from '@skills/invocation/skill-tool'
import type { Use } from './rank.js'

/** Options that settings of a program may set. */
// An alias, so that declarations of other packages write the shape in place of a name that they cannot import.
export type ListingSettings = { readonly fraction?: number | undefined; readonly maxDescription?: number | undefined }

const budgets = {
  /** UTF-16 code units for a window of any size, in place of a fraction of it. The environment takes precedence. */
  budget: s.number({ above: 0 }).inFiles(),
  /** Fraction of the context window. */
  fraction: s.number({ above: 0, to: 1 }).default(0.01).inFiles(),
  /** UTF-16 code units that count as one token. */
  charsPerToken: s.number({ above: 0 }).default(4).inFiles(),
  /** UTF-16 code units if the size of the window is unknown. */
  unknownWindow: s.number({ above: 0 }).default(8000).inFiles(),
  /**
   * Counts the tokens of a text synchronously, in place of `charsPerToken` characters each. Called with the whole text,
   * at most six times for each new listing, and not for an unchanged one. A result that is negative or not a number is
   * `E_INVALID_OPTION`.
   */
  tokens: s.fn<(text: string) => number>(),
}

const escaped = {
  /** Tags that are escaped in texts: those of a reminder and an invocation, or every `<` and `>`. */
  escape: s.oneOf('tags', 'angles', 'spaced').default('tags').inFiles(),
}

const described = {
  ...budgets,
  ...escaped,
  /** UTF-16 code units of a description with its when-to-use, including the mark of a shortened one. */
  maxDescription: s.number({ above: 0 }).default(1536).inFiles(),
  /**
   * Show a display name that differs from the name after it. `qualified`: with the name of its plugin, and with
   * `filling` only if it calls this skill and no other.
   */
  showsDisplayName: s.either(s.flag(), s.oneOf('qualified')).default(false).inFiles(),
}

const shared = {
  /**
   * Shortest share of a description, including the mark of a shortened one. With less room, fewer entries have one
   * (`fair`, graphemes) or none has (`proportional`, UTF-16 code units).
   */
  minShare: s.number({ from: 0 }).default(20).inFiles(),
}

/** Options of each strategy that this package itself has. Other options are refused. */
export const ownStrategies = {
  fair: {
    strategy: s.oneOf('fair').default('fair').inFiles(),
    ...described,
    ...shared,
    /**
     * Returns the use of a skill, for the order. Default: the invocations that executors counted, if they are stored.
     */
    use: s.fn<(name: string) => Use | undefined>(),
    /** Share of the places for entries that would not be shown otherwise, each in its turn. */
    floor: s.number({ from: 0, to: 1 }).default(0.2).inFiles(),
    /**
     * Returns the line about omitted skills, from their number and the name of the tool with which the agent can search
     * for them, undefined if it has none. Default: a line that names the tool.
     */
    note: s.fn<(count: number, searchTool: string | undefined) => string>(),
  },
  /** Lists all names, and each description in order while there is room for the whole. */
  filling: {
    strategy: s.oneOf('filling').required().inFiles(),
    ...described,
    /**
     * UTF-16 code units that count as one token in a window of more than 200,000 tokens. Default: as `charsPerToken`.
     */
    wideCharsPerToken: s.number({ above: 0 }).inFiles(),
    /** Returns what settings of a program say in place of the options. Called for each listing. */
    settings: s.fn<() => ListingSettings>(),
    /** Order of the catalog, or by name among the skills of one folder (`places`). */
    sorts: s.oneOf('catalog', 'places').default('catalog').inFiles(),
    /** Name after a description the folder that a nested skill is for. */
    showsScope: s.flag().default(false).inFiles(),
  },
  /** Lists what is pinned or in use, and the skills that fit the conversation best. */
  shortlist: {
    strategy: s.oneOf('shortlist').required().inFiles(),
    ...described,
    ...shared,
    /** Skills that are listed besides those that are pinned or in use. */
    most: s.count().default(20).inFiles(),
    /** As with `fair`. */
    use: s.fn<(name: string) => Use | undefined>(),
    /** As with `fair`, for all skills that are not listed. */
    note: s.fn<(count: number, searchTool: string | undefined) => string>(),
  },
  proportional: { strategy: s.oneOf('proportional').required().inFiles(), ...described, ...shared },
  cutoff: {
    strategy: s.oneOf('cutoff').required().inFiles(),
    ...escaped,
    /** UTF-16 code units for a window of any size. The environment takes precedence. */
    budget: s.number({ above: 0 }).default(15_000).inFiles(),
  },
  /** Lists everything without a limit, like the next two. */
  fixed: {
    strategy: s.oneOf('fixed').required().inFiles(),
    ...escaped,
    /** Code points of a description. A cut is not marked. */
    maxDescription: s.number({ above: 0 }).default(100).inFiles(),
  },
  xml: {
    strategy: s.oneOf('xml').required().inFiles(),
    /** Text between its lines. */
    joiner: s.oneOf('space', 'newline').default('space').inFiles(),
  },
  grouped: { strategy: s.oneOf('grouped').required().inFiles(), ...escaped },
  /** Lists all names, and deals the room among the descriptions, one token to each in turn. */
  dealt: {
    strategy: s.oneOf('dealt').required().inFiles(),
    ...escaped,
    /** UTF-16 code units for a window of any size. The environment takes precedence. */
    budget: s.number({ above: 0 }).default(21_760).inFiles(),
    /** UTF-16 code units of a description, including the mark of a shortened one. */
    maxDescription: s.number({ above: 0 }).default(1024).inFiles(),
    /** Skills of the program itself, which have their share: of each the name, and the length of its description. */
    own: s.list(s.typed<readonly [name: string, units: number]>('a pair')).default([]),
  },
}

/** Options of a plugin's strategy, which is named by the id of its provider. */
const other = { strategy: s.text().required().inFiles(), ...budgets }

export const formatterOptions = s.variants('budgetFormatter()', 'strategy', ...Object.values(ownStrategies), other)

/** Strategies that this package itself has. */
export type OwnStrategy = keyof typeof ownStrategies

export type StrategyName = OwnStrategy | keyof Strategies

/** Excludes a budget and a fraction of the window in the same options. */
type OneBudget<T> = T extends { readonly fraction?: unknown }
  ? | (T & { readonly budget?: undefined })
    | (Omit<T, keyof typeof budgets> & {
        readonly budget: number
        readonly fraction?: undefined
        readonly charsPerToken?: undefined
        readonly unknownWindow?: undefined
        readonly tokens?: undefined
      })
  : T

/** Options, one type for each strategy: an option that a strategy does not use is refused. */
export type BudgetFormatterOptions =
  | OneBudget<s.GivenOf<(typeof ownStrategies)[OwnStrategy]>>
  // Written out here, so that strategies of other packages are added.
  | OneBudget<s.GivenOf<typeof budgets> & { readonly strategy: keyof Strategies }>

/** Options of any strategy, for a host that adjusts a strategy without naming it. The formatter checks them. */
export type AnyListing = s.GivenOf<
  Omit<
    typeof ownStrategies.fair &
      typeof ownStrategies.filling &
      typeof ownStrategies.xml &
      Pick<typeof ownStrategies.dealt, 'own'> &
      Pick<typeof ownStrategies.shortlist, 'most'>,
    'strategy'
  > & { readonly strategy: s.Schema<StrategyName> }
>

/** Options of a strategy, with their defaults. */
export type FormatterSettings =
  | s.ValuesOf<(typeof ownStrategies)[OwnStrategy]>
  | (s.ValuesOf<typeof budgets> & { readonly strategy: keyof Strategies })

/**
 * Reads the options. Throws `E_INVALID_OPTION` for an invalid option, and for an option that another option makes
 * ineffective.
 */
export function formatterSettings(given: AnyListing): FormatterSettings {
  // Any other word is the strategy of a plugin.
  const settings = formatterOptions.read(given) as FormatterSettings
  const idle = (['fraction', 'charsPerToken', 'unknownWindow', 'tokens'] as const).find(
    name => given[name] !== undefined,
  )
  if (given.budget === undefined || idle === undefined) return settings
  throw new SkillsError(
    'E_INVALID_OPTION',
    `The options "budget" and "${idle}" of budgetFormatter() cannot be given together.`,
    { hint: 'Give one of the two.' },
  )
}
