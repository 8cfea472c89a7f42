import { defineKind, type MaybePromise } from '@skills/core'
import type { RunJournal } from '@skills/invocation'
import type { RunAnswer, RunEnding, RunEntry, RunQuestion, RunRecord, RunSpec, RunState } from './run.js'

declare module '@skills/core' {
  interface ProviderKinds {
    runs: Runs
  }
}

/** A run that this process works on. Once it is over, lost, parked or released nothing more can be written to it. */
export interface HeldRun {
  /** As it is now. */
  readonly record: RunRecord
  /** For the runner: what was recorded is not made again. */
  readonly journal: RunJournal
  /**
   * Aborts when the work has to end: with an `AbortError` where it was cancelled, parked or released, with `E_RUN_LOST`
   * where another process has taken the run over, and with `E_RUN_CHANGED`, `E_RUN_STATE` or `E_STATE` where the
   * journal cannot go on.
   */
  readonly signal: AbortSignal
  /** Whether it waits for an answer, for which this process is not needed. */
  readonly isParked: boolean
  /**
   * Records a question and gives its answer: the recorded one, else that of the host, else of whichever process
   * answers first. Without `host` the run is parked: calls that are under way end first, then `signal` aborts, and this
   * rejects.
   */
  ask(question: RunQuestion, host?: () => MaybePromise<RunAnswer>): Promise<RunAnswer>
  /** Forgets the steps: its runner keeps none, so that it begins again. */
  restart(): Promise<void>
  /** Gives it back, to be taken again. */
  release(reason: string): Promise<void>
  /** Records the end. Rejects with `E_RUN_LOST` where another process has taken it over, whose end counts. */
  end(ending: RunEnding): Promise<void>
}

export interface RunFilter {
  /** What the ids begin with; no other run is read. */
  readonly id?: string | undefined
  /** Id of a conversation. */
  readonly session?: string | undefined
  readonly states?: readonly RunState[] | undefined
}

/** A run that was found; `problem` where its journal cannot be read. */
export type FoundRun = RunRecord | { readonly id: string; readonly problem: { code: string; message: string } }

/**
 * Runs that outlive a process. A host registers one provider of the kind `runs`; see docs/reference/runs.md. Methods
 * reject with `E_RUN_UNKNOWN`, `E_RUN_JOURNAL`, `E_RUN_UNSIGNED` and `E_STATE`; those that change something with
 * `E_RUN_STATE` where the run is not in a state for it, and with `E_RUN_ENTRY` for what could not be read again.
 */
export interface Runs {
  /** `here`: who submits a run works on it. `workers`: others do, and who submits it waits for its end. */
  readonly place: 'here' | 'workers'
  /** Records a run. One that is recorded already is given as it is. */
  submit(spec: RunSpec): Promise<RunRecord>
  /** Records a run and takes it, in one. Undefined for one that is recorded already. */
  begin(spec: RunSpec): Promise<HeldRun | undefined>
  /**
   * Takes a run that is queued, or whose process has ended, to work on it.
   * @param options.force takes it also where its process may be at work still; that one may write nothing more
   */
  take(id: string, options?: { readonly force?: boolean }): Promise<HeldRun>
  get(id: string): Promise<RunRecord>
  journal(id: string): Promise<readonly RunEntry[]>
  /** One after the other, in no order, so that only one is kept at a time. */
  each(filter?: RunFilter): AsyncIterable<FoundRun>
  /** The oldest first. */
  find(filter?: RunFilter): Promise<readonly FoundRun[]>
  /** Whether no process is at work on it, so that it may be taken. */
  mayTake(record: RunRecord): boolean
  /** Answers its question: it is queued again, or its process goes on. */
  answer(id: string, question: string, answer: RunAnswer): Promise<RunRecord>
  /** Ends it, or has the process that works on it end it. */
  cancel(id: string, reason?: string): Promise<RunRecord>
  /**
   * Queues a run again that failed, was cancelled or is indeterminate.
   * @param options.fresh from its beginning: what was recorded does not count
   */
  retry(id: string, options?: { readonly fresh?: boolean }): Promise<RunRecord>
  /** Marks that a conversation has its report. */
  delivered(id: string, session: string): Promise<RunRecord>
  /**
   * Removes it. `E_RUN_STATE` while it has not ended.
   * @param options.unsigned removes only what no key of this host signed, whatever it says it is
   */
  remove(id: string, options?: { readonly unsigned?: boolean }): Promise<void>
  /** Its record once it has ended, or waits for an answer that no process waits for. Rejects with an `AbortError`. */
  settled(id: string, options?: { readonly signal?: AbortSignal | undefined }): Promise<RunRecord>
  /** Tells of each change, of this process at once and of others as soon as it can be known. Gives what stops it. */
  watch(id: string, listener: () => void): () => void
}

/** What cannot be recorded must not happen, so its errors are the caller's. */
export const runsKind = defineKind('runs', { arity: 'one', limitMs: Infinity, onFailure: 'throw' })

/** A run as JSON Schema. */
export async function runSchema(): Promise<Readonly<Record<string, unknown>>> {
  return (await import('./entry-schema.js')).schema
}

/** What the report of a run says, in one sentence; undefined before its end. */
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
