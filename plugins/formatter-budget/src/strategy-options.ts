import * as s from '@skills/core/schema'
import { SkillsError } from '@skills/core'
import type { Strategies } from '@skills/invocation/skill-tool'
import type { Use } from './rank.js'

const budgets = {
  /** UTF-16 code units, for a window of any size, in place of a part of it; the environment comes before it. */
  budget: s.number({ above: 0 }).inFiles(),
  /** Part of the context window. */
  fraction: s.number({ above: 0, to: 1 }).default(0.01).inFiles(),
  /** UTF-16 code units that count as one token. */
  charsPerToken: s.number({ above: 0 }).default(4).inFiles(),
  /** UTF-16 code units when the window is not known. */
  unknownWindow: s.number({ above: 0 }).default(8000).inFiles(),
  /**
   * Counts a text's tokens at once, instead of `charsPerToken` characters each. Called with the whole text, up to six
   * times for each listing that is laid out, and not at all for one that is as before. What is no number, or negative,
   * is `E_INVALID_OPTION`.
   */
  tokens: s.fn<(text: string) => number>(),
}

const escaped = {
  /** Which tags of a text are escaped: those of a reminder and an invocation, or every `<` and `>`. */
  escape: s.oneOf('tags', 'angles').default('tags').inFiles(),
}

const described = {
  ...budgets,
  ...escaped,
  /** UTF-16 code units of a description with its when-to-use, the mark of a shortened one included. */
  maxDescription: s.number({ above: 0 }).default(1536).inFiles(),
  /**
   * Whether a display name that differs from the name is shown behind it; `qualified`: with the plugin that it is of.
   */
  showsDisplayName: s.either(s.flag(), s.oneOf('qualified')).default(false).inFiles(),
}

const shared = {
  /**
   * With less than this for each description, the mark of a shortened one included, there are fewer of them (`fair`,
   * graphemes) or none (`proportional`, UTF-16 code units).
   */
  minShare: s.number({ from: 0 }).default(20).inFiles(),
}

/** The options of each strategy that needs no plugin: one that a strategy has no use for is refused. */
export const ownStrategies = {
  fair: {
    strategy: s.oneOf('fair').default('fair').inFiles(),
    ...described,
    ...shared,
    /** What is known of a skill's use, for the order. Default: what executors counted, where something is remembered. */
    use: s.fn<(name: string) => Use | undefined>(),
    /** Part of the places that belongs to entries which would not come so far, each in its turn. */
    floor: s.number({ from: 0, to: 1 }).default(0.2).inFiles(),
    /**
     * The line about skills that found no room, by how many they are, and what the tool is called by which the agent
     * can search for them: undefined where it has none. Default: one that names the tool.
     */
    note: s.fn<(count: number, searchTool: string | undefined) => string>(),
  },
  /** Names stay, and each in its turn has its whole description while there is room. */
  filling: {
    strategy: s.oneOf('filling').required().inFiles(),
    ...described,
    /** UTF-16 code units that a part of a window never comes to more than. Default: no bound. */
    maxBudget: s.number({ above: 0 }).inFiles(),
  },
  proportional: { strategy: s.oneOf('proportional').required().inFiles(), ...described, ...shared },
  cutoff: {
    strategy: s.oneOf('cutoff').required().inFiles(),
    ...escaped,
    /** UTF-16 code units, for a window of any size; the environment comes before it. */
    budget: s.number({ above: 0 }).default(15_000).inFiles(),
  },
  /** Shows everything, without a limit, as the next two do. */
  fixed: {
    strategy: s.oneOf('fixed').required().inFiles(),
    ...escaped,
    /** Code points of a description, without a mark. */
    maxDescription: s.number({ above: 0 }).default(100).inFiles(),
  },
  xml: {
    strategy: s.oneOf('xml').required().inFiles(),
    /** What stands between its lines. */
    joiner: s.oneOf('space', 'newline').default('space').inFiles(),
  },
  grouped: { strategy: s.oneOf('grouped').required().inFiles(), ...escaped },
}

/** A strategy of a plugin, by the id of its provider. */
const other = { strategy: s.text().required().inFiles(), ...budgets }

export const formatterOptions = s.variants('budgetFormatter()', 'strategy', ...Object.values(ownStrategies), other)

/** The strategies that need no plugin. */
export type OwnStrategy = keyof typeof ownStrategies

export type StrategyName = OwnStrategy | keyof Strategies

/** A budget and a part of a window take each other's place. */
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

/** One shape for each strategy: an option that a strategy has no use for is refused. */
export type BudgetFormatterOptions =
  | OneBudget<s.GivenOf<(typeof ownStrategies)[OwnStrategy]>>
  // Named here, where another package's strategies join it.
  | OneBudget<s.GivenOf<typeof budgets> & { readonly strategy: keyof Strategies }>

/** What any of them may say, for a host that adjusts a strategy which it does not name; the formatter checks it. */
export type AnyListing = s.GivenOf<
  Omit<typeof ownStrategies.fair & typeof ownStrategies.filling & typeof ownStrategies.xml, 'strategy'> & {
    readonly strategy: s.Schema<StrategyName>
  }
>

/** The options of a strategy, with their defaults. */
export type FormatterSettings =
  | s.ValuesOf<(typeof ownStrategies)[OwnStrategy]>
  | (s.ValuesOf<typeof budgets> & { readonly strategy: keyof Strategies })

/** Throws `E_INVALID_OPTION` for what is not accepted, and for what has no effect beside the others. */
export function formatterSettings(given: AnyListing): FormatterSettings {
  // Any word that is none of ours is that of a plugin.
  const settings = formatterOptions.read(given) as FormatterSettings
  const idle = (['fraction', 'charsPerToken', 'unknownWindow', 'tokens'] as const).find(
    name => given[name] !== undefined,
  )
  if (given.budget === undefined || idle === undefined) return settings
  throw new SkillsError('E_INVALID_OPTION', `The option "budget" of budgetFormatter() is ${given.budget}.`, {
    hint: `Beside it ${idle} has no effect: give one of the two.`,
  })
}
