/**
 * What a program does because of its arguments:
 *
 * - `program`: starts the program that a word names, with the words after it
 * - `script`: runs words as a script of a shell
 * - `code`: runs what cannot be read here: code of another language, what comes in, what a configuration names
 * - `source`: runs a file of shell commands
 * - `file`: runs what a word names: a file of code, a target, a script of a package, a subcommand that runs or changes
 * something
 */
export type Effect = 'program' | 'script' | 'code' | 'source' | 'file'

/**
 * How a program reads its arguments, as far as it runs others for them. What is not here only does what its
 * name says.
 */
export interface Program {
  /** What it does with any arguments. */
  readonly always?: Effect | undefined
  /** What its first operand is, after as many others as `skip` says; it ends the program's own options. */
  readonly operand?: Effect | undefined
  readonly skip?: number | undefined
  /** Whether each further operand is such a one too, as the targets of make are. */
  readonly isEach?: boolean | undefined
  /** What it does without an operand. */
  readonly bare?: Effect | undefined
  /**
   * Options by what they do, separated by spaces. `--name` also stands for its beginnings, `-x` for any group of
   * letters that holds it, a text ending with `*` for any option that begins so, and any other text for itself.
   */
  readonly options?: Readonly<Partial<Record<Effect, string>>> | undefined
  /**
   * Options that change nothing of this, those with a value ending with `=`. Where an operand follows, any other option
   * may be anything.
   */
  readonly plain?: string | undefined
  /** Arguments that, alone, only have it say something about itself. `--version` and `--help` always do. */
  readonly asks?: string | undefined
  /** By name; several share an entry as `a|b`. `*` is every other one. */
  readonly subcommands?: Readonly<Record<string, Program>> | undefined
  /** What one argument does, wherever it stands. */
  readonly argument?: ((text: string) => Effect | undefined) | undefined
  /** What all arguments together do. */
  readonly all?: ((texts: readonly string[]) => Effect | undefined) | undefined
  /**
   * Whether it only starts another program in another way, so that it needs no rule of its own: without options, or
   * with those of `plain`.
   */
  readonly isTransparent?: 'bare' | 'plain' | undefined
  /** Whether it gives the other program words that do not stand here. */
  readonly addsWords?: boolean | undefined
}

export type Programs = Readonly<Record<string, Program>>
