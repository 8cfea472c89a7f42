/**
 * Effect of a program's arguments.
 *
 * - `program`: starts the program that a word names, with the words after it
 * - `script`: runs words as a shell script
 * - `code`: runs code that cannot be examined here: of another language, from the input, from a configuration
 * - `source`: runs a file of shell commands
 * - `file`: runs what a word names: a file of code, a target, a script of a package, a subcommand that runs or changes
 *   something
 */
export type Effect = 'program' | 'script' | 'code' | 'source' | 'file'

/**
 * Way in which a program reads those of its arguments that make it run other programs. A program that is not listed is
 * taken to run no other program.
 */
export interface Program {
  /** Effect with any arguments. */
  readonly always?: Effect | undefined
  /** Effect of the first operand, after `skip` others. It ends the program's own options. */
  readonly operand?: Effect | undefined
  readonly skip?: number | undefined
  /** True if every further operand has this effect too, such as targets of make. */
  readonly isEach?: boolean | undefined
  /** Effect without an operand. */
  readonly bare?: Effect | undefined
  /**
   * Options by effect, separated by spaces. `--name` also stands for its abbreviations, `-x` for any group of letters
   * that contains it, a text ending with `*` for any option that begins so, and any other text for itself.
   */
  readonly options?: Readonly<Partial<Record<Effect, string>>> | undefined
  /**
   * Options without effect; those with a value end with `=`. If an operand follows, every other option may be anything.
   */
  readonly plain?: string | undefined
  /** Arguments that, given alone, only print information about the program. `--version` and `--help` always do. */
  readonly asks?: string | undefined
  /** Subcommands by name; `a|b` shares an entry, `*` is every other one. */
  readonly subcommands?: Readonly<Record<string, Program>> | undefined
  /** Effect of one argument, in any place. */
  readonly argument?: ((text: string) => Effect | undefined) | undefined
  /** Effect of all arguments together. */
  readonly all?: ((texts: readonly string[]) => Effect | undefined) | undefined
  /**
   * Options with which the program only starts another one in another way, so that it needs no rule of its own. `bare`:
   * none; `plain`: those of `plain`.
   */
  readonly isTransparent?: 'bare' | 'plain' | undefined
  /** True if it gives the other program words that are not in the command. */
  readonly addsWords?: boolean | undefined
}

export type Programs = Readonly<Record<string, Program>>
