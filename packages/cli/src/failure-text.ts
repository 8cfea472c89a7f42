import { messageOf } from '@skills/core'
import { exitCodes, type Output } from './io.js'
import { printable } from './printable.js'
import { isUsageError } from './usage-error.js'

/**
 * Says what went wrong, and gives the exit code. Without the stack a person reads what is wrong and what to do; with it
 * a developer sees where.
 * @param plain the same output for the stack, whose lines are not folded
 */
export function printFailure(error: unknown, argv: readonly string[], stderr: Output, plain: Output): number {
  stderr.write(`skills: ${printable(messageOf(error))}\n`)
  if (argv.includes('--debug') && error instanceof Error) plain.write(`${stackOf(error)}\n`)
  return isUsageError(error) ? exitCodes.usage : exitCodes.failed
}

function stackOf(error: Error): string {
  const own = error.stack ?? String(error)
  return error.cause instanceof Error ? `${own}\ncaused by ${stackOf(error.cause)}` : own
}
