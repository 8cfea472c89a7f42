import { messageOf } from '@skills/core'
import { maskSecrets, secretsOf } from '@skills/state/secrets'
import { exitCodes, type Io, type Output } from '../io.js'
import { printable } from './printable.js'
import { isUsageError } from '../arguments/usage-error.js'

/**
 * Says what went wrong, and gives the exit code. Without the stack a person reads what is wrong and what to do; with it
 * a developer sees where. Neither sees a secret: a server may repeat in its answer what it was asked with.
 * @param plain the process's own: its lines of standard error are not folded, as a stack's must not be
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
