import { defineKind, type MaybePromise } from '@skills/core'
import type { RunJournal } from '@skills/invocation'
import type { RunAnswer, RunEnding, RunEntry, RunQuestion, RunRecord, RunSpec, RunState } from './run.js'

declare module '@skills/core' {
  interface ProviderKinds {
    runs: Runs
  }
}

/**
 * Run that this process works on. Once the run has ended, or was taken over, parked or released, this process can write
 * nothing more to it.
 */
export interface HeldRun {
  /** Current record. */
  readonly record: RunRecord
  /** Journal for the runner. Recorded steps are not repeated. */
  readonly journal: RunJournal
  /**
   * Aborts when the work has to end. The reason is an `AbortError` if the run was cancelled, parked or released,
   * `E_RUN_LOST` if another process has taken it over, and `E_RUN_CHANGED`, `E_RUN_STATE` or `E_STATE` if the journal
   * cannot be continued.
   */
  readonly signal: AbortSignal
  /** True if it waits for an answer, for which no process is needed. */
  readonly isParked: boolean
  /**
   * Records a question and returns its answer: the recorded one, else that of `host`, or the first one of any process.
   * Without `host` the run is parked: calls in progress end first, then `signal` aborts and this rejects.
   */
  ask(question: RunQuestion, host?: () => MaybePromise<RunAnswer>): Promise<RunAnswer>
  /**
   * Writes the entries that wait for the next one. Needed only before an effect that is not a step of the journal.
   * Rejects with `E_RUN_LOST` if another process has taken the run over.
   */
  flush(): Promise<void>
  /** Discards the steps, for a runner that records none and begins again. */
  restart(): Promise<void>
  /** Releases the run, to be taken again. */
  release(reason: string): Promise<void>
  /**
   * Records the end. Rejects with `E_RUN_LOST` if another process has taken the run over.
   * @param cause error with which it failed. If it is about the place of the journals, the run is released instead.
   */
  end(ending: RunEnding, cause?: unknown): Promise<void>
}

export interface RunFilter {
  /** Prefix of the ids. Other runs are not read. */
  readonly id?: string | undefined
  /** Id of a conversation. */
  readonly session?: string | undefined
  readonly states?: readonly RunState[] | undefined
  /** Tenant for whom the run was submitted. */
  readonly tenant?: string | undefined
  /** True: only runs whose report a conversation has; false: only the others. */
  readonly isDelivered?: boolean | undefined
  /** Only runs that ended before this time, in milliseconds since the epoch. */
  readonly endedBefore?: number | undefined
  /** Only this many: those that cannot be read, then those that were submitted last. */
  readonly limit?: number | undefined
}

export interface PruneOptions {
  /** Only runs that ended before this time, in milliseconds since the epoch. */
  readonly endedBefore: number
  /** States of the runs that are removed. Default: all in which a run has ended. */
  readonly states?: readonly RunEnding['state'][] | undefined
  /** Removes nothing. */
  readonly isTrial?: boolean | undefined
}

export interface PrunedRuns {
  /** Ids of the runs that were removed, or would be. */
  readonly removed: readonly string[]
  /** Number of the other runs in these states. */
  readonly kept: number
}

/** Run that was found. It has a `problem` if its journal cannot be read. */
export type FoundRun = RunRecord | { readonly id: string; readonly problem: { code: string; message: string } }

/**
 * Runs that survive the end of a process. A host registers one provider of the kind `runs`; see docs/reference/runs.md.
 * Methods reject with `E_RUN_UNKNOWN`, `E_RUN_JOURNAL`, `E_RUN_UNSIGNED` and `E_STATE`. Methods that change a run also
 * reject with `E_RUN_STATE` if the state of the run does not allow the change, and with `E_RUN_ENTRY` for values that
 * could not be read again.
 */
export interface Runs {
  /** `here`: the process that submits a run executes it. `workers`: others do, and the submitter waits for the end. */
  readonly place: 'here' | 'workers'
  /** Records a run. If it is already recorded, the recorded one is returned unchanged. */
  submit(spec: RunSpec): Promise<RunRecord>
  /** Records and takes a run in one step. Undefined if it is already recorded. */
  begin(spec: RunSpec): Promise<HeldRun | undefined>
  /**
   * Takes a run that is queued, or whose process has ended, to work on it.
   * @param options.force take it even if its process may still be working; that one can write nothing more
   * @param options.isDeferred entries that no effect waits for may be written within 100 ms, together with the next one:
   *   that the run was taken, and results of calls. Effects have to be steps of the journal, or follow `flush()`
   */
  take(id: string, options?: { readonly force?: boolean; readonly isDeferred?: boolean }): Promise<HeldRun>
  get(id: string): Promise<RunRecord>
  journal(id: string): Promise<readonly RunEntry[]>
  /** Yields the runs one by one, in any order, so that only one is in memory. */
  each(filter?: RunFilter): AsyncIterable<FoundRun>
  /** Returns the runs, oldest first. */
  find(filter?: RunFilter): Promise<readonly FoundRun[]>
  /**
   * Removes runs that ended before a time, in batches. The signatures of each whole journal are verified: a run stays if
   * its journal is damaged, unsigned, cannot be read, or was continued meanwhile.
   */
  prune(options: PruneOptions): Promise<PrunedRuns>
  /** Returns a text that is another one after any run has changed. It costs much less than finding the runs. */
  mark(): Promise<string>
  /** Returns the limit that a queued run waits for, as `tenant acme`. Undefined: there are no limits here. */
  limitOf?(record: RunRecord): Promise<string | undefined>
  /** True if no process works on it, so that it may be taken. */
  mayTake(record: RunRecord): boolean
  /** Answers its question. The run is queued again, or its process continues. */
  answer(id: string, question: string, answer: RunAnswer): Promise<RunRecord>
  /** Ends the run, or makes the process that works on it end it. */
  cancel(id: string, reason?: string): Promise<RunRecord>
  /**
   * Queues a run again that failed, was cancelled or is indeterminate.
   * @param options.fresh begin again, without the recorded steps
   */
  retry(id: string, options?: { readonly fresh?: boolean }): Promise<RunRecord>
  /** Records that a conversation has its report. */
  delivered(id: string, session: string): Promise<RunRecord>
  /**
   * Removes a run. Rejects with `E_RUN_STATE` if it has not ended.
   * @param options.unsigned remove it only if no key of this host signed it, regardless of its state
   */
  remove(id: string, options?: { readonly unsigned?: boolean }): Promise<void>
  /**
   * Resolves with its record when it ends, or waits for an answer without a process. Rejects with an `AbortError`, and
   * with `E_RUN_UNKNOWN` if it was removed.
   * @param options.past id of a question that is known, and for which it does not resolve again
   */
  settled(
    id: string,
    options?: { readonly signal?: AbortSignal | undefined; readonly past?: string | undefined },
  ): Promise<RunRecord>
  /**
   * Reports changes: those of this process at once, others as soon as they are known. Returns a function that stops it.
   */
  watch(id: string, listener: () => void): () => void
}

/** Kind of the providers of runs. Errors reach the caller, because work must not go on without being recorded. */
export const runsKind = defineKind('runs', { arity: 'one', limitMs: Infinity, onFailure: 'throw' })

/** Returns the JSON Schema of a run. */
export async function runSchema(): Promise<Readonly<Record<string, unknown>>> {
  return (await import('./entry-schema.js')).schema
}

/** Returns the report of a run as one sentence. Undefined before its end. */
export function reportOf({
  skill: { name },
  state,
  result,
  error,
  isBackground,
}: Pick<RunRecord, 'skill' | 'state' | 'result' | 'error' | 'isBackground'>): string | undefined {
  const where = isBackground ? 'in the background' : 'after the conversation was reopened'
  if (state === 'done') return `The skill "${name}" ended ${where}: ${result ?? ''}`
  if (state === 'cancelled') return `The skill "${name}" was cancelled.`
  return state === 'failed' ? `The skill "${name}" ended ${where}: ${error?.message ?? 'it failed.'}` : undefined
}
