import { isAbortError, messageOf, SkillsError, type MaybePromise } from '@skills/core'

/** Does what an expander is asked for; whatever it throws says from then on which one it was. */
export async function asking<T>(expander: string, ask: () => MaybePromise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw blamed(expander, error)
  }
}

/** The same at once. */
export function askingNow<T>(expander: string, ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    throw blamed(expander, error)
  }
}

function blamed(expander: string, error: unknown): unknown {
  if (SkillsError.is(error) || isAbortError(error)) return error
  return new SkillsError('E_PROVIDER_FAILED', `The expander "${expander}" failed: ${messageOf(error)}`, { cause: error })
}

/** The error of an expander that gave something that is no answer. */
export function noAnswer(expander: string, what: string): SkillsError {
  return new SkillsError('E_PROVIDER_FAILED', `The expander "${expander}" ${what}.`, { hint: 'Report it to the author of that expander.' })
}
