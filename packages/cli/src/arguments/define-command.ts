import type { Groups } from './groups.js'

/** Definition of a command in its folder: everything known about it without running it. */
export interface CommandDefinition {
  /** Group of `skills --help` that lists it. */
  readonly group: keyof Groups
  /** Position in its group, from the front. Default: after all commands with a position. */
  readonly place?: number
  /** Description for its line in `skills --help`, at most 62 characters, so that the help fits on one screen. */
  readonly text: string
  /**
   * Arguments as help shows them: `NAME`, `[PATH…]`, `ID [QUESTION] ANSWER`. The parser derives their number from this
   * text. Default: none.
   */
  readonly args?: string
  /** Largest number of arguments, if it does not follow from `args`. */
  readonly most?: number
  /**
   * Options with their help texts. A value's name follows the option, and `...` marks an option that may be repeated:
   * `--fix`, `--source <name>`, `--allow <rule>...`. An option has the same shape in all commands.
   */
  readonly options?: Readonly<Record<string, string>>
  /** Texts of the actions that the first argument names, by the words after the name of the command. */
  readonly actions?: Readonly<Record<string, string>>
  /** Sentences below the description in the command's own help. */
  readonly details?: readonly string[]
  /** True if the command passes words after `--` on, for example to a skill. Otherwise they are its own arguments. */
  readonly handsOn?: true
  /** Global options that have no effect on the command. It rejects them as a usage error. */
  readonly refuses?: readonly string[]
  /** Other names of the command. */
  readonly synonyms?: readonly string[]
}

/** Defines a command. Its name is its folder's name with a space for each hyphen. */
export function defineCommand<const Definition extends CommandDefinition>(definition: Definition): Definition {
  return definition
}
