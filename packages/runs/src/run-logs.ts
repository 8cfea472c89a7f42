import type { MaybePromise } from '@skills/core'
import type { RunEntry } from './run.js'

/**
 * Where journals are kept: what an engine of runs has to bring, and all of it. What is built on it is the same for
 * every engine: {@link LoggedRuns}. A line is text without line feeds; what it says is signed, so it has to come back
 * as it was.
 */
export interface RunLogs {
  /**
   * Appends to the journal of a run if it has exactly `count` lines, and gives whether it had: of two that append at
   * one moment one is told `false`, and reads what the other wrote. Once it resolves, the lines outlive the process,
   * and those of calls of tools and of answers of people the machine. 0 makes the journal.
   * @param entries what the lines say, one each, to tell which have to last
   */
  append(id: string, count: number, lines: readonly string[], entries: readonly RunEntry[]): MaybePromise<boolean>
  /** The lines from the one with this number on; none: there is no such journal. One that is missing is empty. */
  read(id: string, from?: number): MaybePromise<readonly string[]>
  /** How messages begin that speak of a journal. Default: `The journal of the run ID`. */
  nameOf?(id: string): string
  /** Of every run, in no order. */
  ids(): MaybePromise<readonly string[]>
  /**
   * Removes a journal if it has exactly `count` lines, and gives whether it had, as {@link RunLogs.append} does: what
   * was queued again meanwhile stays.
   */
  remove(id: string, count: number): MaybePromise<boolean>
  /** Tells of lines that other processes append, as soon as it can be known. Gives what stops it. */
  watch?(id: string, changed: () => void): () => void
}
