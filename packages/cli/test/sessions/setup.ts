/** Content of a file, a link with its target, or an empty folder. */
export type SetupEntry = string | { readonly link: string } | { readonly dir: true }

/** The scratch folder of one session, in which its commands run. */
export interface Place {
  /** Absolute path of the home folder. */
  readonly home: string
  /** Absolute path of the folder in which the commands are typed. */
  readonly cwd: string
  /** Writes entries, relative to the home folder. */
  write(entries: Readonly<Record<string, SetupEntry>>): void
  /** Runs a command line that the page does not show. Throws if it fails. */
  run(line: string): Promise<void>
}

/** Something done while a command runs, once its output matches. */
export interface Act {
  readonly when: RegExp
  readonly act: (place: Place) => void
}

/** Everything that is in place before a session begins. A page names it: `<!-- setup: NAME -->`. */
export interface Setup {
  /** Entries relative to the home folder; the commands are typed in `project`. */
  readonly files?: Readonly<Record<string, SetupEntry>>
  readonly prepare?: (place: Place) => Promise<void>
  /** Width of the terminal. Default: 80. */
  readonly columns?: number
  /** Variables, besides those every session has. */
  readonly env?: Readonly<Record<string, string>>
  /** Replaces output that is not the same in every run, such as a port. */
  readonly masks?: readonly (readonly [RegExp, string])[]
  /**
   * Commands that end only by Ctrl-C: the output before it, and what happens meanwhile. The page shows `^C` where it is
   * pressed.
   */
  readonly untilInterrupted?: Readonly<Record<string, { readonly acts?: readonly Act[]; readonly last: RegExp }>>
}
