import { emptyJournal, type JournalEnd, type JournalPart } from './journals.js'
import { runError } from './run-error.js'
import { isEnded, runVersion, type RunAnswer, type RunEntry, type RunRecord } from './run.js'

/** State of one step according to the journal. */
export interface FoldedStep {
  readonly digest: string
  readonly isFinished: boolean
  /** Epoch of the holder that began it. */
  readonly epoch: number
  readonly idempotent: boolean
  readonly value?: unknown
}

/** State of a run, computed from the entries of its journal. */
export class RunFold {
  readonly steps = new Map<string, FoldedStep>()
  readonly answers = new Map<string, RunAnswer>()
  #record: RunRecord | undefined
  #end: JournalEnd = emptyJournal

  /** @param keepsValues false for a reader that needs no results of steps, which may be large */
  constructor(
    part: JournalPart,
    private readonly keepsValues = true,
  ) {
    this.add(part)
  }

  /** End of the part that was read. */
  get end(): JournalEnd {
    return this.#end
  }

  /** Record of the run. Throws `E_RUN_JOURNAL` if no entry describes the run. */
  get record(): RunRecord {
    if (this.#record === undefined)
      throw runError('E_RUN_JOURNAL', 'The journal of a run lacks its first entry.', 'Look at the journal.')
    return { ...this.#record, entries: this.#end.count }
  }

  /**
   * Adds the next entries. An entry of an earlier holder is ignored, because another process has taken the run over.
   * Throws `E_RUN_JOURNAL` for a later version.
   */
  add({ entries, end }: JournalPart): void {
    for (const entry of entries) this.#add(entry)
    this.#end = end
  }

  #add(entry: RunEntry): void {
    if (entry.type === 'queued') return this.#begin(entry)
    const record = this.#record
    if (record === undefined) return
    // Any other entry after the end is from a process that did not know of it.
    if (isEnded(record) && entry.type !== 'retried' && entry.type !== 'delivered') return
    if ('epoch' in entry && entry.type !== 'taken' && entry.epoch !== record.epoch) return
    this.#record = { ...record, ...this.#changed(record, entry) }
  }

  #begin({ version, spec, at }: RunEntry & { readonly type: 'queued' }): void {
    if (version !== runVersion)
      throw runError(
        'E_RUN_JOURNAL',
        `A run was written by a later version of this program (its version is ${version}), so this version leaves the run unchanged.`,
        'Update this program.',
      )
    this.#record ??= {
      ...spec,
      version,
      state: 'queued',
      epoch: 0,
      isCancelling: false,
      progress: { steps: 0, calls: 0 },
      queuedAt: at,
      entries: 0,
    }
  }

  #changed(record: RunRecord, entry: RunEntry): Partial<RunRecord> {
    const { progress } = record
    switch (entry.type) {
      case 'taken':
        return { state: 'running', epoch: entry.epoch, holder: entry.holder, startedAt: record.startedAt ?? entry.at }
      case 'begun': {
        const { digest, epoch, idempotent, title = entry.key } = entry
        this.steps.set(entry.key, { digest, epoch, idempotent, isFinished: false })
        return { progress: { ...progress, last: title } }
      }
      case 'finished': {
        const { digest, epoch, kind, value } = entry
        this.steps.set(entry.key, {
          digest,
          epoch,
          idempotent: true,
          isFinished: true,
          value: this.keepsValues ? value : undefined,
        })
        const [steps, calls] = [kind === 'model' ? 1 : 0, kind === 'tool' ? 1 : 0]
        return { progress: { ...progress, steps: progress.steps + steps, calls: progress.calls + calls } }
      }
      case 'asked':
        return { question: entry.question, state: entry.question.kind === 'permission' ? 'waiting' : 'indeterminate' }
      case 'parked':
        return { holder: undefined }
      case 'released':
        return {
          holder: undefined,
          state: record.question === undefined ? 'queued' : record.state,
          ...(entry.isFailure === true && { failures: (record.failures ?? 0) + 1 }),
        }
      case 'restarted':
        this.#forget()
        return { progress: { steps: 0, calls: 0 } }
      case 'answered': {
        if (record.question?.id !== entry.question) return {}
        this.answers.set(entry.question, entry.answer)
        return { question: undefined, state: record.holder === undefined ? 'queued' : 'running' }
      }
      case 'cancelling':
        return { isCancelling: true }
      case 'retried': {
        if (entry.isFresh) this.#forget()
        const gone = { holder: undefined, question: undefined, error: undefined, result: undefined, usage: undefined }
        return {
          ...gone,
          state: 'queued',
          isCancelling: false,
          delivered: undefined,
          endedAt: undefined,
          failures: undefined,
        }
      }
      case 'delivered':
        return { delivered: entry.session }
      case 'ended': {
        const { state, result, usage, error, at } = entry
        return { state, result, usage, error, endedAt: at, holder: undefined, question: undefined }
      }
      case 'queued':
        return {}
    }
  }

  #forget(): void {
    this.steps.clear()
    this.answers.clear()
  }
}
