import type { CommandDefinition } from './define-command.js'
import type { CommandRow } from './command-row.js'
import type { AnyInvocation } from './invocation.js'
import type { Io } from '../io.js'

/** Runs a command and returns the exit code. `commands` are all commands, for those that list them. */
export type RunCommand = (invocation: AnyInvocation, io: Io, commands: Commands) => number | Promise<number>

/** Command whose definition and code are loaded on use. */
export interface KnownCommand extends CommandRow {
  readonly definition: () => Promise<{ readonly command: CommandDefinition }>
  readonly run: () => Promise<{ readonly run: RunCommand }>
}

export type Commands = readonly KnownCommand[]
