import { UsageError } from './usage-error.js'

/** Returns the value of an option that is a number, or undefined if it was not given. Throws a UsageError if it is not valid. */
export function limitOf(given: string | undefined, flag = '--limit'): number | undefined {
  if (given === undefined) return undefined
  const limit = /^\d+$/.test(given) ? Number(given) : 0
  if (limit < 1 || !Number.isSafeInteger(limit))
    throw new UsageError(`The option ${flag} needs a whole number above 0, such as 50, but was given "${given}".`)
  return limit
}
