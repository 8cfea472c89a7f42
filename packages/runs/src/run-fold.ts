import { emptyJournal, type JournalEnd, type JournalPart } from './journals.js'
import { runError } from './run-error.js'
import { recordAfter } from './run-record.js'
import type { RunAnswer, RunEntry, RunRecord } from './run.js'

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
  #whole: RunRecord | undefined
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
    return (this.#whole ??= { ...this.#record, entries: this.#end.count })
  }

  /**
   * Adds the next entries. An entry of an earlier holder is ignored, because another process has taken the run over.
   * Throws `E_RUN_JOURNAL` for a later version.
   */
  add({ entries, end }: JournalPart): void {
    this.#whole = undefined
    for (const entry of entries) this.#add(entry)
    this.#end = end
  }

  #add(entry: RunEntry): void {
    const before = this.#record
    this.#record = recordAfter(before, entry)
    if (this.#record !== before) this.#note(entry)
  }

  /** Notes steps and answers of an entry that counts. */
  #note(entry: RunEntry): void {
    if (entry.type === 'begun') {
      const { digest, epoch, idempotent } = entry
      this.steps.set(entry.key, { digest, epoch, idempotent, isFinished: false })
    } else if (entry.type === 'finished') {
      const { digest, epoch } = entry
      const value = this.keepsValues ? entry.value : undefined
      this.steps.set(entry.key, { digest, epoch, idempotent: true, isFinished: true, value })
    } else if (entry.type === 'answered') this.answers.set(entry.question, entry.answer)
    else if (entry.type === 'restarted' || (entry.type === 'retried' && entry.isFresh)) {
      this.steps.clear()
      this.answers.clear()
    }
  }
}
