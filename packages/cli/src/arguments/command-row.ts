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

// Notation of options in the command table: `--fix`, `-h, --help`, `--source <name>`, `--allow <rule>...`.

/** Returns the flags that can be typed for an option, such as `-h` and `--help`. */
export function flagsOf(option: string): readonly string[] {
  return option.replace(/ <.*/, '').split(', ')
}

/** Returns the long flag of the option that a flag belongs to. Returns an unknown flag unchanged. */
export function longFlag(options: readonly string[], flag: string): string {
  return (
    options
      .map(flagsOf)
      .find(flags => flags.includes(flag))
      ?.at(-1) ?? flag
  )
}

export function takesValue(option: string): boolean {
  return option.includes('<')
}

export function isRepeatable(option: string): boolean {
  return option.endsWith('...')
}
