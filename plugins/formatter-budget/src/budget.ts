import type { Host } from '@skills/core'

/** Size that a listing may have. */
export interface Budget {
  /** UTF-16 code units. */
  readonly chars: number
  /** Set if `chars` was estimated from this number of tokens, and could be computed more exactly. */
  readonly tokens?: number
}

export const budgetVariable = 'SLASH_COMMAND_TOOL_CHAR_BUDGET'

/**
 * Returns the budget in the environment. Undefined if the variable is not set, `invalid` if its value is not a positive
 * number.
 */
export function budgetOf({ env }: Pick<Host, 'env'>): number | 'invalid' | undefined {
  const written = env[budgetVariable]?.trim() ?? ''
  if (written === '') return undefined
  const chars = Math.floor(Number(written))
  return chars > 0 && Number.isFinite(chars) ? chars : 'invalid'
}

/**
 * Returns the budget of a listing.
 * @param window size of the context window in tokens
 * @param configured budget of the environment
 */
export function budgetFor(
  window: number | undefined,
  {
    fraction,
    charsPerToken,
    budget,
    unknownWindow,
    maxBudget = Infinity,
  }: {
    readonly budget?: number
    readonly fraction: number
    readonly charsPerToken: number
    readonly unknownWindow: number
    readonly maxBudget?: number
  },
  configured: number | undefined,
): Budget {
  const fixed = configured ?? budget
  if (fixed !== undefined) return { chars: Math.floor(fixed) }
  if (window === undefined || !(window > 0) || !Number.isFinite(window)) return { chars: unknownWindow }
  const chars = Math.floor(window * charsPerToken * fraction)
  return chars > maxBudget ? { chars: maxBudget } : { chars, tokens: window * fraction }
}
