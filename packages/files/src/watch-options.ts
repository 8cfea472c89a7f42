import type { Clock, Diagnostic, MaybePromise } from '@skills/core'

export interface WatchPathsOptions {
  /** Files and folders, absolute. They need not exist; a folder is watched with everything below it. */
  readonly paths: readonly string[]
  /**
   * Told, one batch after the other, where something may have changed: absolute, forward slashes, as reached from
   * `paths`. Of what happens in a folder that is new, or has taken another one's place, the folder or one above it may
   * be told instead. The next batch waits until this one is dealt with.
   */
  readonly onChange: (paths: readonly string[]) => MaybePromise<void>
  readonly onDiagnostic: (diagnostic: Diagnostic) => void
  /** Milliseconds without an event that end a batch. Default 100. */
  readonly debounceMs?: number | undefined
  /** Milliseconds between two batches that name all of `paths`, once the system refuses to watch. Default 2000. */
  readonly pollMs?: number | undefined
  /** Whether nothing of this name is watched. Default: what begins with a dot, and `node_modules`. */
  readonly ignores?: ((name: string) => boolean) | undefined
  /** Whether what a link below `paths` leads to is watched too; asked again with each `setPaths()`. Default: it is. */
  readonly follows?: ((link: string) => boolean) | undefined
  /** Closes when it aborts. */
  readonly signal?: AbortSignal | undefined
  readonly clock?: Clock | undefined
}

export interface PathWatch {
  /** Watches these from now on; settles when it does. Those that are new are in a batch of their own then. */
  setPaths(paths: readonly string[]): Promise<void>
  /**
   * Idempotent. Nothing is told afterwards and nothing stays open; settles when a batch that had begun is dealt with.
   */
  close(): Promise<void>
}
