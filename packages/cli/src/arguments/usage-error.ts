import { closestNames, messageOf, SkillsError } from '@skills/core'

/** Error for invalid arguments. Its message says what is wrong and what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/**
 * Returns true for a UsageError. Compares names, because each file of the built program has its own copy of the class.
 */
export function isUsageError(error: unknown): boolean {
  return error instanceof Error && error.name === 'UsageError'
}

/**
 * Runs work on arguments, and turns its `E_INVALID_OPTION` errors, such as for an invalid name or folder, into a
 * UsageError.
 */
export async function asUsageError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (SkillsError.is(error) && error.code === 'E_INVALID_OPTION')
      throw new UsageError(messageOf(error), { cause: error })
    throw error
  }
}

/** Returns a sentence that proposes the words closest to `word`, or an empty text if none is close. */
export function proposal(word: string, words: Iterable<string>): string {
  const close = closestNames(word, words)
  return close.length === 0 ? '' : ` Did you mean ${close.join(' or ')}?`
}
