import type { Groups } from './groups.js'

/** A command as its folder defines it: all that is known of it without running it. */
export interface CommandDefinition {
  /** Where `skills --help` lists it. */
  readonly group: keyof Groups
  /** Which of its group it is. Default: behind those that say it. */
  readonly place?: number
  /** What it does, in at most 62 characters: `skills --help` is one screen, and has one line for it. */
  readonly text: string
  /**
   * Its arguments: `NAME`, `[PATH…]`, `ID [QUESTION] ANSWER`. How many it takes follows from them. Default: none.
   */
  readonly args?: string
  /** How many arguments it takes at most, where its `args` do not say so. */
  readonly most?: number
  /**
   * Its options as they are typed, each with its line of help: the name of its value after it, and `...` when it may be
   * given several times: `--fix`, `--source <name>`, `--allow <rule>...`. An option has the same shape in all commands.
   */
  readonly options?: Readonly<Record<string, string>>
  /** Sentences for its own help, below its line. */
  readonly details?: readonly string[]
  /** Whether words after `--` are no arguments of its own but what it hands on, as to a skill. */
  readonly handsOn?: true
  /** Options of every command that mean nothing to it. */
  readonly refuses?: readonly string[]
  /** Other words for it. */
  readonly synonyms?: readonly string[]
}

/** Defines a command. Its name is that of its folder, with a space for the hyphen. */
export function defineCommand<const Definition extends CommandDefinition>(definition: Definition): Definition {
  return definition
}
