import type { CommandDefinition } from './define-command.js'
import type { globalOptions } from './global-options.js'

/** Flag of an option: `--help` for `-h, --help`, `--source` for `--source <name>`. */
export type FlagOf<Option extends string> = Option extends `${string}, ${infer Long}`
  ? Long
  : Option extends `${infer Flag} <${string}`
    ? Flag
    : Option

type GlobalOption = keyof typeof globalOptions
export type GlobalFlag = FlagOf<GlobalOption>
/** Options with a value that can be given only once. */
type Once<Option extends string> = Exclude<Extract<Option, `${string} <${string}`>, `${string}...`>
type Several<Option extends string> = Extract<Option, `${string}...`>

/** Parsed command line of any command. Values are as typed. */
export interface AnyInvocation {
  /** Undefined for the overview. */
  readonly command: string | undefined
  readonly args: readonly string[]
  /** Words after `--` of a command that passes them on; empty for others, which have them in `args`. */
  readonly rest: readonly string[]
  readonly isHelpWanted: boolean
  readonly isVersionWanted: boolean
  readonly distribution: string | undefined
  readonly cwd: string | undefined
  readonly home: string | undefined
  readonly addDirs: readonly string[]
  readonly pluginDirs: readonly string[]
  readonly marketplaces: readonly string[]
  readonly isColorless: boolean
  readonly json: boolean
  readonly has: (flag: string) => boolean
  readonly text: (flag: string) => string | undefined
  readonly texts: (flag: string) => readonly string[]
}

/**
 * Parsed command line of a command with these options, or with more. Only the command's own and global options can be
 * read.
 */
export interface Invocation<Option extends string = never> extends Omit<AnyInvocation, 'has' | 'text' | 'texts'> {
  /** Returns true if an option was given. */
  readonly has: (flag: FlagOf<Option | GlobalOption>) => boolean
  /** Returns the value of an option that can be given once. */
  readonly text: (flag: FlagOf<Once<Option | GlobalOption>>) => string | undefined
  /** Returns the values of an option that can be repeated. */
  readonly texts: (flag: FlagOf<Several<Option | GlobalOption>>) => readonly string[]
}

/** Parsed command line of a command that `defineCommand` defines. */
export type InvocationOf<Definition extends CommandDefinition> = Invocation<OptionOf<Definition>>

/** Options of a command as help shows them. */
export type OptionOf<Definition extends CommandDefinition> = keyof Definition['options'] & string
