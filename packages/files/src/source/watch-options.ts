import type { Diagnostic } from '@skills/core'

export interface WatchSkillsOptions {
  /** Told of what keeps files from being watched, and of loads that failed. */
  readonly onDiagnostic: (diagnostic: Diagnostic) => void
  /** Milliseconds without an event before what happened is looked at. Default 100. */
  readonly debounceMs?: number | undefined
  /** Milliseconds between two looks at everything, once the system refuses to watch. Default 2000. */
  readonly pollMs?: number | undefined
  /** Closes the watch when it aborts. */
  readonly signal?: AbortSignal | undefined
}

export interface SkillsWatch {
  /** Idempotent. Nothing is loaded afterwards and nothing stays open. Closing the engine closes it too. */
  close(): Promise<void>
}
