import { closestNames, messageOf, SkillsError } from '@skills/core'

/** Arguments that are not understood: one sentence, and what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** By its name: each file of the built program that throws one has a class of its own. */
export function isUsageError(error: unknown): boolean {
  return error instanceof Error && error.name === 'UsageError'
}

/** Does work on arguments: a name, a text or a folder that it does not accept is an argument that is not understood. */
export async function asUsageError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (SkillsError.is(error) && error.code === 'E_INVALID_OPTION')
      throw new UsageError(messageOf(error), { cause: error })
    throw error
  }
}

/** The part of a sentence that proposes the closest of some words; empty when none is close. */
export function proposal(word: string, words: Iterable<string>): string {
  const close = closestNames(word, words)
  return close.length === 0 ? '' : ` Did you mean ${close.join(' or ')}?`
}
