import type { AnyListing, BudgetFormatterOptions } from '@skills/formatter-budget/options'

/**
 * Merges options of the listing. Another strategy starts from its own defaults. A budget and a share of the window
 * replace each other, because the formatter refuses options without effect.
 */
export function listingOver(before: AnyListing = {}, now: AnyListing = {}): AnyListing {
  if (now.strategy !== undefined && now.strategy !== (before.strategy ?? 'fair')) return now
  const { budget, fraction, charsPerToken, unknownWindow, tokens, ...others } = before
  if (now.budget !== undefined) return { ...others, ...now }
  const { fraction: part, charsPerToken: chars, unknownWindow: unknown, tokens: count } = now
  const isOfWindow = [part, chars, unknown, count].some(value => value !== undefined)
  return {
    ...others,
    ...(!isOfWindow && budget !== undefined ? { budget } : { fraction, charsPerToken, unknownWindow, tokens }),
    ...now,
  }
}

/** Merges the options of a distribution and its host. The formatter checks them, as a host may have no type checker. */
export function listingOf(
  own: BudgetFormatterOptions | undefined,
  given: AnyListing | undefined,
): BudgetFormatterOptions {
  return listingOver(own, given) as BudgetFormatterOptions
}
