import { defineKind, type Host, type MaybePromise } from '@skills/core'
import type { Quoting, Quotings, Reference } from './embedded/quoting.js'
import type { Refusal, ShellValue } from './embedded/shell-value.js'

declare module '@skills/core' {
  interface ProviderKinds {
    shell: Shell
  }
}

/**
 * What runs a script: a program of the search path, or an absolute path, with its arguments. Nothing of it is read by
 * another shell.
 */
export interface ShellCall {
  readonly program: string
  readonly args: readonly string[]
}

/**
 * Runs the commands of skills whose `shell` is its id; declare the word in `Shells`. The expander asks for permission,
 * hands values over in the environment and starts the process: a shell says how a script is read and what runs it. See
 * docs/reference/expansion.md, "Embedded commands".
 */
export interface Shell {
  /** What the rules of permission call it: `Bash`. */
  readonly tool: string
  /**
   * How it reads the places of references. One that is not sure of a place calls it `literal`: then nothing is put
   * there.
   */
  quotings(script: string, references: readonly Reference[]): MaybePromise<Quotings>
  /**
   * What is written in the place of a reference, so that the shell takes the value from a variable of the environment.
   * @param next the character behind the reference; empty at the end
   */
  variable(name: string, quoting: Quoting, next: string): string
  /**
   * Says which value must not be given to a script, since the shell, or what it starts, might evaluate it. Default:
   * none.
   * @param script with the variables in it
   * @param values by variable
   */
  refused?(script: string, values: Readonly<Record<string, ShellValue>>): MaybePromise<Refusal | undefined>
  call(script: string, host: Host): ShellCall
  /**
   * Whether a carriage return before a line feed goes, since it would be a part of the line's last word. Default:
   * false.
   */
  readonly dropsReturns?: boolean | undefined
}

/** The skill that has such a command hears of a shell that fails: what was not asked for must not run. */
export const shellKind = defineKind('shell', { arity: 'many', limitMs: 10_000, onFailure: 'throw' })
