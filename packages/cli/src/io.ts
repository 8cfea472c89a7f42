/** Where text goes. Nothing is cut or reordered: what was written before an exit arrives. */
export interface Output {
  /** Whether a person reads it: colours, widths and progress are for terminals alone. */
  readonly isTerminal: boolean
  /** Width of the terminal in cells. */
  readonly columns: number
  /** Whether its reader has closed it, as after `| head -1`. What is written then is dropped. */
  readonly isClosed?: boolean | undefined
  write(text: string): void
}

/** One way to answer. */
export interface Choice {
  readonly value: string
  /** Safe to print, on one line. */
  readonly label: string
}

/** Asks the person at the terminal. */
export interface Prompter {
  /**
   * Gives the value of a choice, or undefined when the person gives up.
   * @param title safe to print, on one line
   * @param choices the one that changes nothing first: it is what a careless key chooses
   */
  choose(title: string, choices: readonly Choice[], signal: AbortSignal): Promise<string | undefined>
  /** Gives the values of one choice or more, or undefined when the person gives up. */
  chooseSome(title: string, choices: readonly Choice[], signal: AbortSignal): Promise<readonly string[] | undefined>
}

/** Everything a run may touch of the process that it is in, so that a test can stand in for it. */
export interface Io {
  readonly stdout: Output
  readonly stderr: Output
  /** Undefined where no question can be asked: the standard input or the standard error is no terminal. */
  readonly prompter?: Prompter | undefined
  /** Absolute. What relative paths among the arguments start from. */
  readonly cwd: string
  readonly home: string
  /**
   * Folders of managed skills and of the policy, absolute. Default: the platform's; no argument and no variable names
   * them.
   */
  readonly managedDirs?: readonly string[] | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** How this program is called, for command lines that are proposed. */
  readonly program: string
  /** Aborts when the person gives up; the run then ends with {@link exitCodes.interrupted}. */
  readonly signal: AbortSignal
}

/** What a run ends with. See docs/reference/cli.md, "Command line". */
export const exitCodes = {
  ok: 0,
  /** Errors were found, a name is unknown, or something could not be done. */
  failed: 1,
  /** The arguments are not understood. */
  usage: 2,
  /** As of a process that SIGINT ended. */
  interrupted: 130,
} as const
