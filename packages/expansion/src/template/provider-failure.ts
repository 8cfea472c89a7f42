import { isAbortError, messageOf, SkillsError, type MaybePromise } from '@skills/core'

/**
 * Calls an expander. An error that is neither a `SkillsError` nor an abort becomes `E_PROVIDER_FAILED` with the
 * expander's name.
 */
export async function asking<T>(expander: string, ask: () => MaybePromise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw blamed(expander, error)
  }
}

/** Does the same synchronously. */
export function askingNow<T>(expander: string, ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    throw blamed(expander, error)
  }
}

function blamed(expander: string, error: unknown): unknown {
  if (SkillsError.is(error) || isAbortError(error)) return error
  return new SkillsError('E_PROVIDER_FAILED', `The expander "${expander}" failed: ${messageOf(error)}`, {
    cause: error,
  })
}

/** Makes the error of an expander that returned an invalid answer. */
export function noAnswer(expander: string, what: string): SkillsError {
  return new SkillsError('E_PROVIDER_FAILED', `The expander "${expander}" ${what}.`, {
    hint: 'Report it to the author of that expander.',
  })
}
