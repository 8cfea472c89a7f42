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

/** Most tokens of a window that is not wide. */
const usualWindow = 200_000

/**
 * Returns the budget of a listing.
 * @param window size of the context window in tokens
 * @param configured budget of the environment
 * @param share fraction of the window in place of the option's, from settings of a program
 */
export function budgetFor(
  window: number | undefined,
  {
    fraction,
    charsPerToken,
    budget,
    unknownWindow,
    wideCharsPerToken = charsPerToken,
  }: {
    readonly budget?: number
    readonly fraction: number
    readonly charsPerToken: number
    readonly unknownWindow: number
    readonly wideCharsPerToken?: number | undefined
  },
  configured: number | undefined,
  share = fraction,
): Budget {
  const fixed = configured ?? budget
  if (fixed !== undefined) return { chars: Math.floor(fixed) }
  if (window === undefined || !(window > 0) || !Number.isFinite(window))
    return { chars: Math.floor((unknownWindow * share) / fraction) }
  const perToken = window > usualWindow ? wideCharsPerToken : charsPerToken
  return { chars: Math.floor(window * perToken * share), tokens: window * share }
}
