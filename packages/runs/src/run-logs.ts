import type { MaybePromise } from '@skills/core'
import type { RunEntry } from './run.js'
import type { RunFacts } from './run-record.js'
import type { RunFilter } from './runs.js'

/** Ids of the runs that a storage has to look for, by its index. */
export interface IndexedRuns {
  /** Ids whose facts are known and match the filter, newest submission first. The limit applies to these. */
  readonly known: readonly string[]
  /** All ids whose facts are unknown. Their journals are read, and {@link RunLogs.learn} is called. */
  readonly unknown: readonly string[]
}

/**
 * Storage of journals, the only part that an engine of runs has to implement. {@link LoggedRuns} does the rest with
 * such a storage. A line is text without line feeds. The storage has to return each line unchanged, because lines are
 * signed.
 */
export interface RunLogs {
  /**
   * Appends lines to the journal of a run if it has exactly `count` lines, and returns whether it did. If two processes
   * append at the same time, one gets `false` and reads the other's lines. When it resolves, the lines survive the end
   * of the process, and those of tool calls and of answers survive a crash of the machine. With 0, the journal is made.
   * @param entries entries of the lines, one each, from which one sees which have to survive a crash
   * @param facts facts of the run after these lines, for an index. Undefined if they are unknown
   */
  append(
    id: string,
    count: number,
    lines: readonly string[],
    entries: readonly RunEntry[],
    facts?: RunFacts,
  ): MaybePromise<boolean>
  /** Returns the lines from number `from` on. No lines: there is no such journal. A missing line is empty. */
  read(id: string, from?: number): MaybePromise<readonly string[]>
  /** Returns the beginning of messages about a journal. Default: `The journal of the run ID`. */
  nameOf?(id: string): string
  /**
   * Returns the time of the clock that all processes share, in milliseconds, such as that of a server. Default: the clock
   * of the host.
   */
  now?(): number | undefined
  /** Returns the ids of all runs, in any order. */
  ids(): MaybePromise<readonly string[]>
  /**
   * Returns the runs that match a filter by an index, without reading journals. The index only chooses: every run that
   * is shown is read and compared with the filter again. A run whose facts may be out of date, because a program without
   * an index wrote to it, is unknown. Default: all are unknown.
   */
  indexed?(filter: RunFilter): MaybePromise<IndexedRuns>
  /** Puts facts into the index, if the journal still has exactly `count` lines. */
  learn?(id: string, count: number, facts: RunFacts): MaybePromise<void>
  /**
   * Removes journals, and returns the ids of those that were removed. Each is removed only if it still has the lines with
   * which `mayRemove` was called. Long ones may be left out: they are removed one by one, with `read` and `remove`, as all
   * are by default.
   */
  removeAll?(
    ids: readonly string[],
    mayRemove: (id: string, lines: readonly string[]) => MaybePromise<boolean>,
  ): MaybePromise<readonly string[]>
  /**
   * Returns a text that is another one after any run has changed. It costs much less than reading the journals. Default:
   * the numbers of entries of all runs.
   */
  mark?(): MaybePromise<string>
  /**
   * Removes a journal if it has exactly `count` lines, and returns whether it did, as {@link RunLogs.append} does. A
   * run that was queued again meanwhile stays.
   */
  remove(id: string, count: number): MaybePromise<boolean>
  /**
   * Calls `changed` after other processes append lines, as soon as that is known. Returns a function that stops it. The
   * argument of `changed` is `false` if it is known that the run neither ended nor was parked; who waits for that then
   * reads nothing. If `part` has the lines from number `from` on, they are verified like read lines, and need not be
   * read.
   */
  watch?(id: string, changed: RunChanged): () => void
}

/** Listener for changes of a run: see {@link RunLogs.watch}. */
export type RunChanged = (
  isSettled?: boolean,
  part?: { readonly from: number; readonly lines: readonly string[] },
) => void
