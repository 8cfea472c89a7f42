import { messageOf, SkillsError } from '@skills/core'

/** Every code that a queue adds to those of the engine and of runs, with when it is thrown. */
export const queueErrorCodes = {
  E_QUEUE: 'the server of a queue cannot be reached, or refuses what it is asked',
  E_QUEUE_VERSION: 'what a server keeps of a queue was made by a later version',
} as const

type QueueErrorCodes = { readonly [K in keyof typeof queueErrorCodes]: true }

declare module '@skills/core' {
  interface ErrorCodes extends QueueErrorCodes {}
}

export function queueError(what: string, cause: unknown): SkillsError {
  if (SkillsError.is(cause)) return cause
  // What refuses each of several addresses has no message of its own.
  const [first] = cause instanceof AggregateError ? cause.errors : []
  return new SkillsError('E_QUEUE', `${what}: ${messageOf(first ?? cause)}.`, {
    hint: 'Look at the URL, and at whether the server runs.',
    cause,
  })
}

/** @param found what the server says */
export function tooNew(found: string, cause?: unknown): SkillsError {
  return new SkillsError('E_QUEUE_VERSION', `The queue is of a later version: ${found}`, {
    hint: 'Update this program, and the package bullmq.',
    ...(cause !== undefined && { cause }),
  })
}

/** What an import gives; that an optional package is not there is said with what to do about it. */
export async function installed<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (!isMissing || !error.message.includes(`'${name}'`)) throw error
    throw new SkillsError('E_MISSING_PROVIDER', `A queue is to be used, and the package ${name} is not installed.`, {
      hint: `Install it: npm install ${name}`,
      cause: error,
    })
  }
}
