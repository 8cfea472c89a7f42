import { closestNames } from '@skills/core'

/** Arguments that are not understood: one sentence, and what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** By its name: each file of the built program that throws one has a class of its own. */
export function isUsageError(error: unknown): boolean {
  return error instanceof Error && error.name === 'UsageError'
}

/** The part of a sentence that proposes the closest of some words; empty when none is close. */
export function proposal(word: string, words: Iterable<string>): string {
  const close = closestNames(word, words)
  return close.length === 0 ? '' : ` Did you mean ${close.join(' or ')}?`
}
