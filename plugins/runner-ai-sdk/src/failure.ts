import { SkillsError } from '@skills/core'
import type { Model } from './options.js'

/**
 * Converts an error that a provider threw or sent in its answer to an `E_PROVIDER_FAILED` with the name of the model
 * and the status.
 */
export function modelFailure({ provider, modelId }: Model, error: unknown): SkillsError {
  if (SkillsError.is(error)) return error
  const status = statusOf(error)
  return new SkillsError(
    'E_PROVIDER_FAILED',
    `The model "${modelId}" of ${provider} failed${status === undefined ? '' : ` (status ${status})`}: ${wordsOf(error).replace(/[.\s]+$/, '')}.`,
    { cause: error },
  )
}

/**
 * Returns the message of an error. Errors in a stream are the provider's own objects. Causes explain lost connections.
 */
function wordsOf(error: unknown): string {
  if (typeof error === 'string') return error
  if (typeof error !== 'object' || error === null) return String(error)
  const message = 'message' in error && typeof error.message === 'string' ? error.message : JSON.stringify(error)
  if (error instanceof Error && error.cause instanceof Error && !message.includes(error.cause.message))
    return `${message}: ${wordsOf(error.cause)}`
  return 'type' in error && typeof error.type === 'string' ? `${error.type}: ${message}` : message
}

/** Returns the status of the last attempt. */
function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  if ('lastError' in error) return statusOf(error.lastError)
  return 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : undefined
}
