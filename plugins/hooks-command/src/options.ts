import * as s from '@skills/core/schema'
import type { SetupContext } from '@skills/core'

export type HooksContext = SetupContext<'trust' | 'source' | 'gate'>

export const commandHooksOptions = s.options('commandHooks()', {
  /** Most UTF-16 code units that one hook may add for the model. */
  maxContextChars: s.count({ orInfinity: true }).default(10_000),
  /** Milliseconds that a regular expression may take for one tool name. After that, it counts as matching. */
  matchLimitMs: s.milliseconds().default(50),
  /** Milliseconds for all hooks of `SessionEnd` together when the engine closes. */
  closeTimeoutMs: s.milliseconds({ orInfinity: true }).default(5_000),
  /** Shell: a name on the search path, or an absolute path. */
  program: s.text('a shell such as "bash"', program => program !== '').default('bash'),
  /**
   * True if a hook counts only with its `type`, and with `once` as a boolean, and if text for the model counts only in
   * an answer with the name of the event.
   */
  strict: s.flag().default(false),
  /** True if a hook gets the folder of its skill in `CLAUDE_SKILL_DIR` too. */
  skillFolder: s.flag().default(true),
  /** Time limit of a hook in milliseconds, if it sets none; `Infinity` for none. */
  timeoutMs: s.milliseconds({ orInfinity: true }).default(60_000),
  /** Most bytes of standard output and standard error together. */
  maxOutputBytes: s.count({ orInfinity: true }).default(1_048_576),
  /**
   * Milliseconds from SIGTERM to SIGKILL, and from the end of the program to the end of processes that it left behind.
   */
  graceMs: s.milliseconds({ orInfinity: true }).default(1_000),
})

export interface CommandHooksOptions extends s.OptionsOf<typeof commandHooksOptions> {}

export type CheckedOptions = ReturnType<typeof commandHooksOptions.read>
