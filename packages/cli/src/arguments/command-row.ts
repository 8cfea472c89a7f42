// What a list has to know of the command line: this file is part of the shortest path.

/** What reading arguments has to know of a command, and nothing else. */
export interface CommandRow {
  /** One word, or two for a command of a group: `plugin init`. */
  readonly name: string
  /** Its arguments as they are documented; empty when it has none. */
  readonly args: string
  /** How many arguments it takes. */
  readonly least: number
  readonly most: number
  /**
   * As they are typed, each with the name of its value and with `...` when it may be given several times: `--fix`,
   * `--source <name>`, `--allow <rule>...`. An option means the same shape wherever it stands.
   */
  readonly options: readonly string[]
  /** Whether words after `--` are no arguments of its own but what it hands on, as to a skill. */
  readonly handsOn?: boolean
  /** Options of other commands that mean nothing to it. */
  readonly refuses?: readonly string[]
}

/** The command whose arguments are read without looking at the others. */
export const listRow = {
  name: 'list',
  args: '',
  least: 0,
  most: 0,
  options: ['--all', '--source <name>', '--json'],
} as const satisfies CommandRow

/** Options of every command but those that refuse them. */
export const globalOptions = [
  '--distribution <name>',
  '--cwd <dir>',
  '--home <dir>',
  '--add-dir <dir>...',
  '--plugin-dir <dir>...',
  '--marketplace <dir>...',
  '--source-limit <seconds>',
  '--no-color',
  '--debug',
  '-h, --help',
  '-v, --version',
] as const
