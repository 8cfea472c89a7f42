import type { CommandDefinition } from './define-command.js'
import type { CommandRow } from './command-row.js'
import type { AnyInvocation } from './invocation.js'
import type { Io } from '../io.js'

/** Runs a command. Gives the exit code. `commands` are all that there are, for one that tells of them. */
export type RunCommand = (invocation: AnyInvocation, io: Io, commands: Commands) => number | Promise<number>

/** A command, of which only what is asked for is loaded. */
export interface KnownCommand extends CommandRow {
  readonly definition: () => Promise<{ readonly command: CommandDefinition }>
  readonly run: () => Promise<{ readonly run: RunCommand }>
}

export type Commands = readonly KnownCommand[]
