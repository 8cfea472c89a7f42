import type { Host } from '@skills/core'

export interface BudgetOptions {
  /** Part of the context window, above 0 and at most 1. Default: 0.01. */
  readonly fraction?: number
  /** UTF-16 code units that count as one token. Default: 4. */
  readonly charsPerToken?: number
  /** UTF-16 code units, whatever the window; the environment comes before it. */
  readonly budget?: number | undefined
  /** UTF-16 code units when the window is not known. Default: 8,000. */
  readonly unknownWindow?: number
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
export function budgetFor(window: number | undefined, { fraction = 0.01, charsPerToken = 4, budget, unknownWindow = 8000 }: BudgetOptions, configured: number | undefined): Budget {
  const fixed = configured ?? budget
  if (fixed !== undefined) return { chars: Math.floor(fixed) }
  if (window === undefined || !(window > 0) || !Number.isFinite(window)) return { chars: unknownWindow }
  return { chars: Math.floor(window * charsPerToken * fraction), tokens: window * fraction }
}
