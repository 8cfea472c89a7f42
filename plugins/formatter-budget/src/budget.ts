import type { Host } from '@skills/core'

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
