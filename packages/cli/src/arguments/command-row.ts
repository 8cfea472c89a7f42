import type { CommandDefinition } from './define-command.js'

/** What reading arguments has to know of a command. It follows from the folder, and holds no sentence of its help. */
export interface CommandRow extends Pick<CommandDefinition, 'handsOn' | 'refuses' | 'synonyms'> {
  /** One word, or two for a command of a group: `plugin init`. */
  readonly name: string
  /** Its arguments as they are documented; empty when it has none. */
  readonly args: string
  /** How many arguments it takes. */
  readonly least: number
  readonly most: number
  /** As they are typed. */
  readonly options: readonly string[]
}
