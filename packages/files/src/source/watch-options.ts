import * as s from '@skills/core/schema'
import type { Diagnostic } from '@skills/core'

export const watchSkillsOptions = s.options('watchSkills()', {
  /** Called with problems that keep files from being watched, and with loads that failed. */
  onDiagnostic: s.fn<(diagnostic: Diagnostic) => void>().required(),
  /** Milliseconds without an event before changes are read. Default: 100. */
  debounceMs: s.number(),
  /** Milliseconds between two looks at everything once the system refuses to watch. Default: 2000. */
  pollMs: s.number(),
  /** Closes the watch when it aborts. */
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
})

export interface WatchSkillsOptions extends s.OptionsOf<typeof watchSkillsOptions> {}

export interface SkillsWatch {
  /**
   * Ends the watch; can be called again. Loads nothing afterwards and leaves nothing open. Closing the engine also
   * closes the watch.
   */
  close(): Promise<void>
}
