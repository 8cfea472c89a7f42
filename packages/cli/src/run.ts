import { isAbortError } from '@skills/core'
import { exitCodes, type Io, type Output } from './io.js'
import { listRow } from './commands/first.js'
import { run as list } from './commands/list/run.js'
import { parseArguments } from './arguments/parse-arguments.js'
import { UsageError } from './arguments/usage-error.js'
import { version } from './version.js'
import type { AnyInvocation } from './arguments/invocation.js'

/**
 * Runs one command line and returns the exit code. Writes to `io`. Loads everything that a plain list does not need on
 * use. See docs/reference/cli.md, "Command line".
 * @param argv arguments after the program's name
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const { stdout, stderr, plain } = await outputsOf(io)
  try {
    // The object inherits from `io` instead of copying it, because reading `prompter` checks for a terminal, and only
    // questions need that.
    const invocation = listAlone(argv) ?? (await import('./rest.js')).parseAll(argv)
    return await dispatch(invocation, Object.create(io, { stdout: { value: stdout }, stderr: { value: stderr } }))
  } catch (error) {
    if (io.signal.aborted && isAbortError(error)) return exitCodes.interrupted
    return (await import('./output/failure-text.js')).printFailure(error, argv, stderr, { stderr: plain, env: io.env })
  }
}

/** Returns both outputs, and standard error without folding. For terminals, foreign control characters are removed. */
async function outputsOf(io: Io): Promise<Pick<Io, 'stdout' | 'stderr'> & { readonly plain: Output }> {
  const { stdout, stderr } = io
  if (!stdout.isTerminal && !stderr.isTerminal) return { stdout, stderr, plain: stderr }
  const { foldedOutput, guardedOutput } = await import('./output/print.js')
  const plain = stderr.isTerminal ? guardedOutput(stderr) : stderr
  return {
    stdout: stdout.isTerminal ? guardedOutput(stdout) : stdout,
    // Running text is folded even if a command does not fold its own.
    stderr: stderr.isTerminal ? foldedOutput(plain, io) : stderr,
    plain,
  }
}

/**
 * Parses the arguments of a list or of no command without loading any other command. Returns undefined for other
 * commands and for invalid arguments.
 */
function listAlone(argv: readonly string[]): AnyInvocation | undefined {
  try {
    return parseArguments(argv, [listRow])
  } catch (error) {
    // The error message needs all commands, so they are parsed again with them.
    if (error instanceof UsageError) return undefined
    throw error
  }
}

async function dispatch(invocation: AnyInvocation, io: Io): Promise<number> {
  const { command, isHelpWanted, isVersionWanted } = invocation
  if (isVersionWanted && !isHelpWanted && command !== 'help') {
    io.stdout.write(`${version}\n`)
    return exitCodes.ok
  }
  if (command === 'list' && !isHelpWanted) return list(invocation, io)
  return (await import('./rest.js')).runCommand(isHelpWanted ? 'help' : command, invocation, io)
}
