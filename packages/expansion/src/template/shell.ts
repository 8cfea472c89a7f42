import { defineKind, type Host, type MaybePromise } from '@skills/core'
import type { Quoting, Quotings, Reference } from './embedded/quoting.js'
import type { Refusal, ShellValue } from './embedded/shell-value.js'

declare module '@skills/core' {
  interface ProviderKinds {
    shell: Shell
  }
}

/** Program that runs a script, by name or absolute path, with its arguments. No further shell reads the arguments. */
export interface ShellCall {
  readonly program: string
  readonly args: readonly string[]
}

/**
 * Runs the commands of skills whose field `shell` is the id of this shell; declare the id in `Shells`. The expander
 * asks for permission, passes values in the environment and starts the process. The shell says how a script is read and
 * which program runs it. See docs/reference/expansion.md, "Embedded commands".
 */
export interface Shell {
  /** Name of the tool in permission rules: `Bash`. */
  readonly tool: string
  /**
   * Finds out how the shell quotes the places of references. If a place is unclear, return `literal`: nothing is put
   * there then.
   */
  quotings(script: string, references: readonly Reference[]): MaybePromise<Quotings>
  /**
   * Returns the text that replaces a reference, so that the shell reads the value from an environment variable.
   * @param next character after the reference; empty at the end
   */
  variable(name: string, quoting: Quoting, next: string): string
  /**
   * Finds a value that must not be given to a script, since the shell or a program might evaluate it. Default: none.
   * @param script script with the variables in it
   * @param values values by variable
   */
  refused?(script: string, values: Readonly<Record<string, ShellValue>>): MaybePromise<Refusal | undefined>
  call(script: string, host: Host): ShellCall
  /** Returns a script that writes its standard error to its standard output. Default: the two are read apart. */
  merged?(script: string): string
  /**
   * True if a carriage return before a line feed is removed, since it would become part of the line's last word.
   * Default: false.
   */
  readonly dropsReturns?: boolean | undefined
}

/** Shells. If one fails, the command is not run and the skill that embeds it gets the error. */
export const shellKind = defineKind('shell', { arity: 'many', limitMs: 10_000, onFailure: 'throw' })
