import * as s from '@skills/core/schema'
import type { Clock, Diagnostic, MaybePromise } from '@skills/core'

export const watchPathsOptions = s.options('watchPaths()', {
  /** Files and folders, absolute. They may be missing; a folder is watched with everything below it. */
  paths: s.list(s.text()).required(),
  /**
   * Called with the paths at which something may have changed, one batch after the other. Paths are absolute, with
   * forward slashes, as reached from `paths`. Changes in a folder that is new or was replaced may be reported as that
   * folder or one above it. The next batch waits until this call has finished.
   */
  onChange: s.fn<(paths: readonly string[]) => MaybePromise<void>>().required(),
  onDiagnostic: s.fn<(diagnostic: Diagnostic) => void>().required(),
  /** Milliseconds without an event that end a batch. Default: 100. */
  debounceMs: s.number(),
  /** Milliseconds between two batches with all of `paths`, once the system refuses to watch. Default: 2000. */
  pollMs: s.number(),
  /** Returns true for a name that is not watched. Default: names that begin with a dot, and `node_modules`. */
  ignores: s.fn<(name: string) => boolean>(),
  /**
   * Returns true if the target of a link below `paths` is watched too. Asked again at each `setPaths()`. Default: all
   * are.
   */
  follows: s.fn<(link: string) => boolean>(),
  /** Closes the watch when it aborts. */
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
  clock: s.typed<Clock>('a clock'),
})

export interface WatchPathsOptions extends s.OptionsOf<typeof watchPathsOptions> {}

export interface PathWatch {
  /**
   * Replaces the watched paths. Settles when they are watched; the new ones are then reported in a batch of their own.
   */
  setPaths(paths: readonly string[]): Promise<void>
  /**
   * Ends the watch; can be called again. Reports nothing afterwards and leaves nothing open. Settles when a running
   * batch has finished.
   */
  close(): Promise<void>
}
