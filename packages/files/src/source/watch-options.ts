import * as s from '@skills/core/schema'
import type { Diagnostic } from '@skills/core'

export const watchSkillsOptions = s.options('watchSkills()', {
  /** Told of what keeps files from being watched, and of loads that failed. */
  onDiagnostic: s.fn<(diagnostic: Diagnostic) => void>().required(),
  /** Milliseconds without an event before what happened is looked at. Default 100. */
  debounceMs: s.number(),
  /** Milliseconds between two looks at everything, once the system refuses to watch. Default 2000. */
  pollMs: s.number(),
  /** Closes the watch when it aborts. */
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
})

export interface WatchSkillsOptions extends s.OptionsOf<typeof watchSkillsOptions> {}

export interface SkillsWatch {
  /** Idempotent. Nothing is loaded afterwards and nothing stays open. Closing the engine closes it too. */
  close(): Promise<void>
}
