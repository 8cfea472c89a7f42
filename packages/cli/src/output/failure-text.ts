import { messageOf } from '@skills/core'
import { maskSecrets, secretsOf } from '@skills/state/secrets'
import { exitCodes, type Io, type Output } from '../io.js'
import { printable } from './printable.js'
import { isUsageError } from '../arguments/usage-error.js'

/**
 * Prints an error and returns the exit code: what is wrong and what to do, and with --debug the stack. Secrets are
 * masked, because a server may repeat the request in its answer.
 * @param plain access with an unfolded standard error, for the stack, whose lines must not change
 */
export function printFailure(
  error: unknown,
  argv: readonly string[],
  stderr: Output,
  plain: Pick<Io, 'stderr' | 'env'>,
): number {
  const shown = (text: string): string => maskSecrets(text, secretsOf(plain.env))
  stderr.write(`skills: ${printable(shown(messageOf(error)))}\n`)
  if (argv.includes('--debug') && error instanceof Error) plain.stderr.write(`${shown(stackOf(error))}\n`)
  return isUsageError(error) ? exitCodes.usage : exitCodes.failed
}

function stackOf(error: Error): string {
  const own = error.stack ?? String(error)
  return error.cause instanceof Error ? `${own}\ncaused by ${stackOf(error.cause)}` : own
}
