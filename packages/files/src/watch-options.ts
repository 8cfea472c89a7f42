import * as s from '@skills/core/schema'
import type { Clock, Diagnostic, MaybePromise } from '@skills/core'

export const watchPathsOptions = s.options('watchPaths()', {
  /** Files and folders, absolute. They need not exist; a folder is watched with everything below it. */
  paths: s.list(s.text()).required(),
  /**
   * Told, one batch after the other, where something may have changed: absolute, forward slashes, as reached from
   * `paths`. Of what happens in a folder that is new, or has taken another one's place, the folder or one above it may
   * be told instead. The next batch waits until this one is dealt with.
   */
  onChange: s.fn<(paths: readonly string[]) => MaybePromise<void>>().required(),
  onDiagnostic: s.fn<(diagnostic: Diagnostic) => void>().required(),
  /** Milliseconds without an event that end a batch. Default 100. */
  debounceMs: s.number(),
  /** Milliseconds between two batches that name all of `paths`, once the system refuses to watch. Default 2000. */
  pollMs: s.number(),
  /** Whether nothing of this name is watched. Default: what begins with a dot, and `node_modules`. */
  ignores: s.fn<(name: string) => boolean>(),
  /** Whether what a link below `paths` leads to is watched too; asked again with each `setPaths()`. Default: it is. */
  follows: s.fn<(link: string) => boolean>(),
  /** Closes when it aborts. */
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
  clock: s.typed<Clock>('a clock'),
})

export interface WatchPathsOptions extends s.OptionsOf<typeof watchPathsOptions> {}

export interface PathWatch {
  /** Watches these from now on; settles when it does. Those that are new are in a batch of their own then. */
  setPaths(paths: readonly string[]): Promise<void>
  /**
   * Idempotent. Nothing is told afterwards and nothing stays open; settles when a batch that had begun is dealt with.
   */
  close(): Promise<void>
}
