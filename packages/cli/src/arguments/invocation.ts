import type { CommandDefinition } from './define-command.js'
import type { globalOptions } from './global-options.js'

/** How an option is typed: `--help` of `-h, --help`, `--source` of `--source <name>`. */
export type FlagOf<Option extends string> = Option extends `${string}, ${infer Long}`
  ? Long
  : Option extends `${infer Flag} <${string}`
    ? Flag
    : Option

type GlobalOption = keyof typeof globalOptions
export type GlobalFlag = FlagOf<GlobalOption>
/** Options with a value that may be given once. */
type Once<Option extends string> = Exclude<Extract<Option, `${string} <${string}`>, `${string}...`>
type Several<Option extends string> = Extract<Option, `${string}...`>

/** What was asked for, of whichever command; values as they were typed. */
export interface AnyInvocation {
  /** Undefined for the overview. */
  readonly command: string | undefined
  readonly args: readonly string[]
  /** The words after `--`, of a command that hands them on; others have them among `args`. */
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
 * What was asked for of a command with these options, and of every command with more: only options that it has can be
 * asked about.
 */
export interface Invocation<Option extends string = never> extends Omit<AnyInvocation, 'has' | 'text' | 'texts'> {
  /** Whether an option was given. */
  readonly has: (flag: FlagOf<Option | GlobalOption>) => boolean
  /** The value of an option that may be given once. */
  readonly text: (flag: FlagOf<Once<Option | GlobalOption>>) => string | undefined
  /** The values of an option that may be given several times. */
  readonly texts: (flag: FlagOf<Several<Option | GlobalOption>>) => readonly string[]
}

/** The invocation of a command that its folder defines. */
export type InvocationOf<Definition extends CommandDefinition> = Invocation<OptionOf<Definition>>

/** Options of a command as they are typed. */
export type OptionOf<Definition extends CommandDefinition> = keyof Definition['options'] & string
