import type { CommandDefinition } from './define-command.js'

/**
 * Part of a command's definition that the argument parser needs. `scripts/commands.mjs` derives it from the command's
 * folder. It has no help texts.
 */
export interface CommandRow extends Pick<CommandDefinition, 'handsOn' | 'refuses' | 'synonyms'> {
  /** Name: one word, or two for a command of a group, such as `plugin init`. */
  readonly name: string
  /** Arguments as help shows them; empty if it takes none. */
  readonly args: string
  /** Least number of arguments; `most` is the largest. */
  readonly least: number
  readonly most: number
  /** Options as help shows them, such as `--source <name>`. */
  readonly options: readonly string[]
}
