import { argumentProblems } from './arguments/argument-problems.js'
import { parseArguments } from './arguments/parse-arguments.js'
import { commands } from './commands/index.js'
import { exitCodes, type Io } from './io.js'
import type { AnyInvocation } from './arguments/invocation.js'

/** Parses the arguments of any command. Throws a UsageError. */
export const parseAll = (argv: readonly string[]): AnyInvocation => parseArguments(argv, commands, argumentProblems)

/** Prints that a command stopped before it was done. */
export function unfinished(): void {
  process.stderr.write('skills: The command stopped before it was done. Please report this.\n')
  process.exitCode = exitCodes.failed
}

/** Runs a command, or the overview without a name. Returns the exit code. */
export async function runCommand(name: string | undefined, invocation: AnyInvocation, io: Io): Promise<number> {
  const command = commands.find(one => one.name === name)
  const { run } = (await command?.run()) ?? (await import('./commands/overview/run.js'))
  return run(invocation, io, commands)
}
