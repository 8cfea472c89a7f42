/** Output for text. Everything written before the process exits arrives, in order and complete. */
export interface Output {
  /** True if a person reads it: colours, widths and progress are only for terminals. */
  readonly isTerminal: boolean
  /** Width of the terminal in cells. */
  readonly columns: number
  /** True if its reader has closed it, as after `| head -1`. Further text is dropped. */
  readonly isClosed?: boolean | undefined
  write(text: string): void
}

/** Answer to choose. */
export interface Choice {
  readonly value: string
  /** Text on one line, safe to print. */
  readonly label: string
}

/** Asks the person at the terminal. */
export interface Prompter {
  /**
   * Returns the value of a choice, or undefined if the person cancels.
   * @param title text on one line, safe to print
   * @param choices the choice that changes nothing comes first, because a careless key press selects it
   */
  choose(title: string, choices: readonly Choice[], signal: AbortSignal): Promise<string | undefined>
  /** Returns the values of one or more choices, or undefined if the person cancels. */
  chooseSome(title: string, choices: readonly Choice[], signal: AbortSignal): Promise<readonly string[] | undefined>
}

/** Everything that a run of this program uses of its process, so that tests can replace it. */
export interface Io {
  readonly stdout: Output
  readonly stderr: Output
  /** Undefined if no question can be asked, because standard input or standard error is not a terminal. */
  readonly prompter?: Prompter | undefined
  /** Working folder, absolute. Relative paths in the arguments start from it. */
  readonly cwd: string
  readonly home: string
  /**
   * Folders of managed skills and of the policy, absolute. Default: the platform's. No argument and no variable changes
   * them.
   */
  readonly managedDirs?: readonly string[] | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** Command that started this program, for command lines that it proposes. */
  readonly program: string
  /** Aborts if the person interrupts the run; it then ends with {@link exitCodes.interrupted}. */
  readonly signal: AbortSignal
}

/** Exit codes. See docs/reference/cli.md, "Command line". */
export const exitCodes = {
  ok: 0,
  /** Errors were found, a name is unknown, or something failed. */
  failed: 1,
  /** The arguments are invalid. */
  usage: 2,
  /** The code of a process that SIGINT ended. */
  interrupted: 130,
} as const
