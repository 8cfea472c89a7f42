import type { MaybePromise } from '@skills/core'
import type { RunEntry } from './run.js'

/**
 * Where journals are kept: what an engine of runs has to bring, and all of it. What is built on it is the same for
 * every engine: {@link LoggedRuns}.
 */
export interface RunLogs {
  /**
   * Appends to the journal of a run if it has exactly `count` entries, and gives whether it had: of two that append at
   * one moment one is told `false`, and reads what the other wrote. Once it resolves, the entries outlive the process,
   * and those of calls of tools and of answers of people the machine. 0 makes the journal.
   */
  append(id: string, count: number, entries: readonly RunEntry[]): MaybePromise<boolean>
  /**
   * The entries from the one with this number on; none: there is no such journal. Rejects with `E_RUN_JOURNAL` for one
   * that is damaged or of a later version.
   */
  read(id: string, from?: number): MaybePromise<readonly RunEntry[]>
  /** Of every run, in no order. */
  ids(): MaybePromise<readonly string[]>
  /**
   * Removes a journal if it has exactly `count` entries, and gives whether it had, as {@link RunLogs.append} does: what
   * was queued again meanwhile stays.
   */
  remove(id: string, count: number): MaybePromise<boolean>
  /** Tells of entries that other processes append, as soon as it can be known. Gives what stops it. */
  watch?(id: string, changed: () => void): () => void
}
