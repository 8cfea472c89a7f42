import { messageOf, SkillsError } from '@skills/core'

/** Error codes of a queue, in addition to those of the engine and of runs, each with its meaning. */
export const queueErrorCodes = {
  E_QUEUE: 'the server of a queue cannot be reached, or refuses a request',
  E_QUEUE_VERSION: 'a later version made the data of a queue',
} as const

type QueueErrorCodes = { readonly [K in keyof typeof queueErrorCodes]: true }

declare module '@skills/core' {
  interface ErrorCodes extends QueueErrorCodes {}
}

export function queueError(what: string, cause: unknown): SkillsError {
  if (SkillsError.is(cause)) return cause
  // An error for several refused addresses has no message of its own.
  const [first] = cause instanceof AggregateError ? cause.errors : []
  const message = messageOf(first ?? cause).replace(/\.+$/, '')
  return new SkillsError('E_QUEUE', `${what}: ${message}.`, {
    hint: isRefused(first ?? cause)
      ? 'The server runs and refuses this. Check the user, the password and the database of the URL, and what the user may do.'
      : 'Check the URL, and whether the server runs.',
    cause,
  })
}

/** True if a server answered that a user, a password, a database or a command is not accepted. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  // PostgreSQL's classes of authorization and of missing databases, its code for a missing permission; words of Redis.
  return (
    /^(?:28|3D)|^42501$/.test(code) ||
    /^(?:WRONGPASS|NOAUTH|NOPERM)\b|invalid (?:password|username)/.test(error.message)
  )
}

/**
 * Makes the error for a queue that a later version made.
 * @param found sentence about the state of the server
 */
export function tooNew(found: string, cause?: unknown): SkillsError {
  return new SkillsError('E_QUEUE_VERSION', `The queue was made by a later version: ${found}`, {
    hint: 'Update this program, and the package bullmq.',
    ...(cause !== undefined && { cause }),
  })
}

/** Returns the result of an import. If an optional package is not installed, the error says what to do. */
export async function installed<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (!isMissing || !error.message.includes(`'${name}'`)) throw error
    throw new SkillsError('E_MISSING_PROVIDER', `A queue needs the package ${name}, which is not installed.`, {
      hint: `Install it: npm install ${name}`,
      cause: error,
    })
  }
}
