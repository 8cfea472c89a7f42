import { isAbortError } from '@skills/core'
import { exitCodes, type Io, type Output } from './io.js'
import { listRow } from './commands/first.js'
import { run as list } from './commands/list/run.js'
import { parseArguments } from './arguments/parse-arguments.js'
import { UsageError } from './arguments/usage-error.js'
import { version } from './version.js'
import type { AnyInvocation } from './arguments/invocation.js'

/**
 * Runs one command line. What it prints goes to `io`; what it gives is the exit code. What a plain list
 * does not need is loaded when it is asked for. See docs/reference/cli.md, "Command line".
 * @param argv the arguments after the program's name
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const { stdout, stderr, plain } = await outputsOf(io)
  try {
    // Not a copy: whether there is a person to ask is looked for only by what has something to ask.
    const invocation = listAlone(argv) ?? (await import('./rest.js')).parseAll(argv)
    return await dispatch(invocation, Object.create(io, { stdout: { value: stdout }, stderr: { value: stderr } }))
  } catch (error) {
    if (io.signal.aborted && isAbortError(error)) return exitCodes.interrupted
    return (await import('./output/failure-text.js')).printFailure(error, argv, stderr, { stderr: plain, env: io.env })
  }
}

/**
 * Both outputs, and standard error for what is not folded; what a terminal would obey does not get through to one.
 */
async function outputsOf(io: Io): Promise<Pick<Io, 'stdout' | 'stderr'> & { readonly plain: Output }> {
  const { stdout, stderr } = io
  if (!stdout.isTerminal && !stderr.isTerminal) return { stdout, stderr, plain: stderr }
  const { foldedOutput, guardedOutput } = await import('./output/print.js')
  const plain = stderr.isTerminal ? guardedOutput(stderr) : stderr
  return {
    stdout: stdout.isTerminal ? guardedOutput(stdout) : stdout,
    // Running text, also where a command does not fold its own.
    stderr: stderr.isTerminal ? foldedOutput(plain, io) : stderr,
    plain,
  }
}

/**
 * The arguments of a list or of no command, for which no other command is looked at; undefined for any other, and where
 * they are wrong.
 */
function listAlone(argv: readonly string[]): AnyInvocation | undefined {
  try {
    return parseArguments(argv, [listRow])
  } catch (error) {
    // What is wrong is said with all commands at hand.
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
