import type { Host } from '@skills/core'

/** How much a listing may take: so many characters, or a part of the model's window. */
export type BudgetOptions = GivenBudget | WindowBudget

interface GivenBudget extends Partial<Record<Exclude<keyof WindowBudget, 'budget'>, undefined>> {
  /** UTF-16 code units, for a window of any size; the environment comes before it. */
  readonly budget: number
}

interface WindowBudget {
  readonly budget?: undefined
  /** Part of the context window, above 0 and at most 1. Default: 0.01. */
  readonly fraction?: number | undefined
  /** UTF-16 code units that count as one token. Default: 4. */
  readonly charsPerToken?: number | undefined
  /** UTF-16 code units when the window is not known. Default: 8,000. */
  readonly unknownWindow?: number | undefined
  /**
   * Counts a text's tokens at once, instead of `charsPerToken` characters each. Called with the whole text, up to six
   * times for each listing that is laid out, and not at all for one that is as before. What is no number, or negative,
   * is `E_INVALID_OPTION`.
   */
  readonly tokens?: ((text: string) => number) | undefined
}

/** As {@link BudgetOptions}, of either shape. */
export interface AnyBudget extends Omit<WindowBudget, 'budget'> {
  readonly budget?: number | undefined
}

/** What a listing may take. */
export interface Budget {
  /** UTF-16 code units. */
  readonly chars: number
  /** Set when it was reckoned from these tokens of the window, and so could be reckoned better. */
  readonly tokens?: number
}

export const budgetVariable = 'SLASH_COMMAND_TOOL_CHAR_BUDGET'

/** The variable's value: undefined when there is none, `invalid` when it is no positive number. */
export function budgetOf({ env }: Pick<Host, 'env'>): number | 'invalid' | undefined {
  const written = env[budgetVariable]?.trim() ?? ''
  if (written === '') return undefined
  const chars = Math.floor(Number(written))
  return chars > 0 && Number.isFinite(chars) ? chars : 'invalid'
}

/**
 * @param window tokens of the context window
 * @param configured what the environment says
 */
export function budgetFor(
  window: number | undefined,
  {
    fraction = 0.01,
    charsPerToken = 4,
    budget,
    unknownWindow = 8000,
    maxBudget = Infinity,
  }: AnyBudget & { readonly maxBudget?: number | undefined },
  configured: number | undefined,
): Budget {
  const fixed = configured ?? budget
  if (fixed !== undefined) return { chars: Math.floor(fixed) }
  if (window === undefined || !(window > 0) || !Number.isFinite(window)) return { chars: unknownWindow }
  const chars = Math.floor(window * charsPerToken * fraction)
  return chars > maxBudget ? { chars: maxBudget } : { chars, tokens: window * fraction }
}
