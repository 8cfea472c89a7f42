import type { AnyListing, BudgetFormatterOptions } from '@skills/formatter-budget/options'

/**
 * Options of the listing over others. Another strategy begins with its own defaults, and a budget and a part of a
 * window take each other's place: what has no effect is refused by the formatter.
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

/** Those of a distribution and its host, which the formatter checks: a host may have no type checker. */
export function listingOf(
  own: BudgetFormatterOptions | undefined,
  given: AnyListing | undefined,
): BudgetFormatterOptions {
  return listingOver(own, given) as BudgetFormatterOptions
}
