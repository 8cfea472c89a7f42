import * as s from '@skills/core/schema'
import { abortError, messageOf, SkillsError, type Clock, type MaybePromise } from '@skills/core'
import { LoggedHeldRun } from './held-run.js'
import { emptyJournal, Journals, type JournalPart } from './journals.js'
import { runError } from './run-error.js'
import { RunFold } from './run-fold.js'
import { factsOf, isAmong } from './run-record.js'
import {
  deadlineOf,
  isEnded,
  pastDeadline,
  runVersion,
  type RunAnswer,
  type RunEnding,
  type RunEntry,
  type RunEvent,
  type RunHolder,
  type RunRecord,
  type RunSpec,
} from './run.js'
import type { HeldRun, FoundRun, PrunedRuns, PruneOptions, RunFilter, Runs } from './runs.js'
import type { RunKeys } from './run-keys.js'
import type { RunChanged, RunLogs } from './run-logs.js'

const loggedRunsOptions = s.options('new LoggedRuns()', {
  logs: s.typed<RunLogs>('logs of runs').required(),
  /** Keys that sign new entries and verify read ones. */
  keys: s.typed<RunKeys>('keys of runs').required(),
  /**
   * Name of the queue. It is signed with each entry, so that a run is valid only where it was submitted. Default:
   * empty.
   */
  name: s.text(),
  place: s.oneOf('here', 'workers').required(),
  clock: s.typed<Clock>('a clock').required(),
  /** Returns the holder when a run is taken here. */
  holder: s.fn<(run: Pick<RunSpec, 'id' | 'parentId'>) => RunHolder>().required(),
  /** Returns true if the process of a holder has ended, undefined if that is unknown. */
  isGone: s.fn<(holder: RunHolder) => boolean | undefined>().required(),
  /** Called with each run that is to be taken, for example to notify a worker. Its errors are passed to the caller. */
  queued: s.fn<(record: RunRecord) => MaybePromise<void>>(),
  /**
   * Called with each run that this process can write nothing more to: it ended, was released, or is lost. `isTaken` is
   * false if it was lost before it was written that this process or another one had taken it.
   */
  left: s.fn<(record: RunRecord, isTaken: boolean) => void>(),
  /** Returns true if a run that failed here is released for another attempt in place of being ended. */
  isTriedAgain: s.fn<(record: RunRecord, ending: RunEnding) => boolean>(),
})

export interface LoggedRunsOptions extends s.OptionsOf<typeof loggedRunsOptions> {}

/** Journals that are read at the same time. */
const atOnce = 16
/** Runs that are removed at a time. */
const pruneBatch = 250
const endedStates = ['done', 'failed', 'cancelled'] as const

/** Runs over any storage of journals, with the same rules for every engine. */
export class LoggedRuns implements Runs {
  readonly place: Runs['place']
  readonly #journals: Journals
  /** Runs that this process works on, with the epochs under which it took them. */
  readonly #held = new Map<string, number>()
  readonly #listeners = new Map<string, Set<RunChanged>>()
  /** Journals of runs that are about to be taken here. */
  readonly #looked = new Map<string, RunFold>()
  /** Runs that were submitted a moment ago. */
  readonly #submissions = new Map<string, Submission>()

  /** Throws `E_INVALID_OPTION`. */
  private readonly options: LoggedRunsOptions

  constructor(given: LoggedRunsOptions) {
    const options = loggedRunsOptions.read(given)
    this.options = options
    this.#journals = new Journals(options.logs, options.keys, options.name ?? '')
    this.place = options.place
  }

  async submit(spec: RunSpec): Promise<RunRecord> {
    const entry: RunEntry = { at: this.#now(), type: 'queued', version: runVersion, spec }
    const submission = new Submission(changed => this.#watch(spec.id, changed))
    try {
      const written = await this.#journals.append(spec.id, emptyJournal, [entry])
      if (written === undefined) return await this.get(spec.id)
      submission.fold = new RunFold(written, false)
      this.#submissions.set(spec.id, submission)
      const { record } = submission.fold
      await this.options.queued?.(record)
      return record
    } finally {
      // Who submits a run and waits for it calls settled() at once.
      setImmediate(() => {
        submission.stop()
        if (this.#submissions.get(spec.id) === submission) this.#submissions.delete(spec.id)
      })
    }
  }

  async begin(spec: RunSpec): Promise<HeldRun | undefined> {
    const { holder } = this.options
    const at = this.#now()
    const entries: readonly RunEntry[] = [
      { at, type: 'queued', version: runVersion, spec },
      { at, type: 'taken', epoch: 1, holder: holder(spec) },
    ]
    const written = await this.#journals.append(spec.id, emptyJournal, entries)
    return written && this.#hold(new RunFold(written))
  }

  async take(id: string, { force = false, isDeferred = false }: Parameters<Runs['take']>[1] = {}): Promise<HeldRun> {
    const { holder } = this.options
    const looked = this.#looked.get(id)
    this.#looked.delete(id)
    const change = (record: RunRecord): readonly RunEvent[] => {
      if (record.state !== 'queued' && record.state !== 'running')
        throw notNow(record, 'A run in this state cannot be taken.')
      if (!force && !this.mayTake(record)) throw notNow(record, `${record.holder?.name ?? 'A process'} is running it.`)
      const taken = { type: 'taken', epoch: record.epoch + 1, holder: holder(record) } as const
      if (!this.isLate(record)) return [taken]
      // A run that another process works on ends here, once it is taken.
      return [...this.#cancelling(record, pastDeadline), ...(this.#isAtWork(record) ? [taken] : [])]
    }
    // Only this process was given the run to look at.
    const [taking, ...others] = looked !== undefined && isDeferred ? change(looked.record) : []
    if (looked !== undefined && taking?.type === 'taken' && others.length === 0)
      return this.#hold(looked, isDeferred, { at: this.#now(), ...taking })
    const fold = (looked && (await this.#appended(looked, change))) ?? (await this.#change(id, change))
    if (isEnded(fold.record)) throw notNow(fold.record, pastDeadline)
    return this.#hold(fold, isDeferred)
  }

  #hold(fold: RunFold, isDeferred = false, taking?: RunEntry & { readonly type: 'taken' }): HeldRun {
    const { clock, isTriedAgain, left } = this.options
    const { id, epoch } = taking === undefined ? fold.record : { ...fold.record, ...taking }
    this.#held.set(id, epoch)
    // What it writes itself it need not read.
    let own: (() => void) | undefined
    return new LoggedHeldRun({
      journals: this.#journals,
      clock: { now: () => this.#now(), after: (ms, callback) => clock.after(ms, callback) },
      fold,
      taking,
      isDeferred,
      isTriedAgain,
      changed: isSettled => this.#tell(id, isSettled, own),
      watch: listener => {
        own = listener
        return this.#watch(id, listener)
      },
      left: () => {
        if (this.#held.get(id) === epoch) this.#held.delete(id)
        left?.(fold.record, fold.record.epoch >= epoch)
      },
    })
  }

  /**
   * Returns a run that is about to be taken here, so that its journal is not read again for that.
   * @param lines its journal, if it was read a moment ago
   */
  async look(id: string, lines?: readonly string[]): Promise<RunRecord> {
    const fold = new RunFold(await this.#read(id, lines))
    this.#looked.set(id, fold)
    return fold.record
  }

  /** Forgets the journal of a run that was looked at and not taken. */
  forget(id: string): void {
    this.#looked.delete(id)
  }

  async get(id: string): Promise<RunRecord> {
    return (await this.#fold(id)).record
  }

  async journal(id: string): Promise<readonly RunEntry[]> {
    return (await this.#read(id)).entries
  }

  async *each(filter: RunFilter = {}): AsyncGenerator<FoundRun> {
    const { known, unknown } = await this.#journals.indexed(filter)
    const { limit } = filter
    if (limit === undefined) {
      yield* this.#among(unknown, filter, true)
      yield* this.#among(known, filter)
      return
    }
    const latest: FoundRun[] = []
    const cut = (): void => {
      latest.sort((one, other) => submission(other, Infinity) - submission(one, Infinity)).splice(limit)
    }
    for await (const run of this.#among(unknown, filter, true)) if (latest.push(run) > limit + atOnce) cut()
    for await (const run of this.#among(known, filter)) latest.push(run)
    cut()
    yield* latest
  }

  async find(filter: RunFilter = {}): Promise<readonly FoundRun[]> {
    const found: FoundRun[] = []
    for await (const run of this.each(filter)) found.push(run)
    return found.toSorted((one, other) => submission(one, 0) - submission(other, 0))
  }

  /** Reads runs, and yields those that match a filter. */
  async *#among(ids: readonly string[], filter: RunFilter, areUnknown = false): AsyncGenerator<FoundRun> {
    const read = async (id: string): Promise<FoundRun | undefined> => {
      const run = await this.#found(id)
      if (run === undefined || 'problem' in run) return run
      // A program without an index may have changed a run that the index has found.
      if (areUnknown || !matches(run, filter)) await this.#journals.learn(id, run.entries, factsOf(run))
      return run
    }
    for (let at = 0; at < ids.length; at += atOnce)
      for (const run of await Promise.all(ids.slice(at, at + atOnce).map(read)))
        if (run !== undefined && matches(run, filter)) yield run
  }

  async prune({ endedBefore, states = endedStates, isTrial = false }: PruneOptions): Promise<PrunedRuns> {
    const all = await this.#journals.indexed({ states })
    const old = [...(await this.#journals.indexed({ states, endedBefore })).known]
    let count = all.known.length
    for await (const run of this.#among(all.unknown, { states }, true)) {
      count += 1
      if (!('problem' in run) && (run.endedAt ?? Infinity) < endedBefore) old.push(run.id)
    }
    const removed: string[] = isTrial ? old : []
    // The server works on one batch while the signatures of another are verified.
    const next = async (): Promise<void> => {
      while (old.length > 0) removed.push(...(await this.#journals.removeEnded(old.splice(-pruneBatch))))
    }
    if (!isTrial) await Promise.all([next(), next()])
    return { removed, kept: Math.max(0, count - removed.length) }
  }

  mark(): Promise<string> {
    return this.#journals.mark()
  }

  mayTake(record: RunRecord): boolean {
    return (record.state === 'queued' || record.state === 'running') && !this.#isAtWork(record)
  }

  async answer(id: string, question: string, answer: RunAnswer): Promise<RunRecord> {
    if (!isAnswer(answer))
      throw runError('E_RUN_ENTRY', `${shownOf(answer)} is not an answer.`, 'The answers are "allow" and "deny".')
    const record = await this.#queue(id, before => {
      if (before.question?.id !== question)
        throw notNow(before, `The run has no open question ${JSON.stringify(question)}.`)
      if (this.isLate(before)) return this.#cancelling(before, pastDeadline)
      return [{ type: 'answered', question, answer }]
    })
    if (record.state === 'cancelled') throw notNow(record, pastDeadline)
    return record
  }

  async cancel(id: string, reason?: string): Promise<RunRecord> {
    const { record } = await this.#change(id, before => {
      if (isEnded(before)) throw notNow(before, 'The run has ended.')
      return this.#cancelling(before, reason)
    })
    return record
  }

  /** Cancels a run if its deadline has passed, and ends it if no process works on it. Otherwise nothing changes. */
  async expire(id: string): Promise<RunRecord> {
    const { record } = await this.#change(id, before => {
      // The process that works on the run ends it. If that process is gone, no other process would.
      const isEnding = before.isCancelling && this.#isAtWork(before)
      return isEnded(before) || isEnding || !this.isLate(before) ? [] : this.#cancelling(before, pastDeadline)
    })
    return record
  }

  async retry(id: string, { fresh = false }: { readonly fresh?: boolean } = {}): Promise<RunRecord> {
    return this.#queue(id, record => {
      if (!['failed', 'cancelled', 'indeterminate'].includes(record.state))
        throw notNow(record, isEnded(record) ? 'Invoke its skill again.' : 'The run continues by itself.')
      if (this.isLate(record)) throw notNow(record, `${pastDeadline} Invoke its skill again.`)
      return [{ type: 'retried', isFresh: fresh }]
    })
  }

  async delivered(id: string, session: string): Promise<RunRecord> {
    const { record } = await this.#change(id, before => {
      if (!isEnded(before)) throw notNow(before, 'The run has no report yet.')
      return before.delivered === undefined ? [{ type: 'delivered', session }] : []
    })
    return record
  }

  async remove(id: string, { unsigned = false }: { readonly unsigned?: boolean } = {}): Promise<void> {
    for (;;) {
      const count = unsigned ? await this.#unsigned(id) : await this.#ended(id)
      if (await this.#journals.remove(id, count)) return
    }
  }

  async #ended(id: string): Promise<number> {
    const record = await this.get(id)
    if (isEnded(record)) return record.entries
    throw notNow(record, 'Cancel the run first.')
  }

  async #unsigned(id: string): Promise<number> {
    try {
      throw notNow(await this.get(id), 'The run is signed.')
    } catch (error) {
      if (!SkillsError.is(error) || error.code !== 'E_RUN_UNSIGNED') throw error
      return this.#journals.lines(id)
    }
  }

  /** Parks a run whose process ended after asking a question. It then waits for the answer without a process. */
  async park(id: string): Promise<void> {
    await this.#change(id, ({ epoch, question, holder }) => {
      const isLeft = question !== undefined && holder !== undefined && this.options.isGone(holder) === true
      return isLeft ? [{ type: 'parked', epoch }] : []
    })
  }

  async settled(id: string, { signal, past }: Parameters<Runs['settled']>[1] = {}): Promise<RunRecord> {
    let wake = (): void => {}
    let told: Parameters<RunChanged>[1]
    const stop = this.#watch(id, (isSettled, part) => {
      if (isSettled === false) return
      // A later notice without entries may be about later ones.
      told = part
      wake()
    })
    const submission = this.#submissions.get(id)
    this.#submissions.delete(id)
    let fold = submission?.fold
    let isRead = submission?.isSettled === false
    const onAbort = (): void => wake()
    signal?.addEventListener('abort', onAbort)
    // A watch does not keep the process alive, but a program that waits for a run must not end before it.
    const stopHolding = this.options.clock.after(Number.MAX_SAFE_INTEGER, () => {})
    let stopDeadline: (() => void) | undefined
    try {
      for (;;) {
        const changed = new Promise<void>(resolve => {
          wake = resolve
        })
        if (signal?.aborted === true) throw abortError(signal)
        if (fold === undefined) fold = new RunFold(await this.#read(id), false)
        else if (!isRead && !(await this.#isAdded(id, fold, told))) await this.#readOn(id, fold)
        isRead = false
        told = undefined
        const { record } = fold
        const { question, holder } = record
        if (isEnded(record) || (question !== undefined && question.id !== past && holder === undefined)) return record
        stopDeadline?.()
        // A timer may be early by the clock of the server, so the deadline is waited for again.
        stopDeadline = record.isCancelling
          ? undefined
          : this.#atDeadline(record, () => void this.expire(id).then(wake, wake))
        await changed
      }
    } finally {
      stop()
      stopHolding()
      stopDeadline?.()
      signal?.removeEventListener('abort', onAbort)
    }
  }

  watch(id: string, listener: () => void): () => void {
    return this.#watch(id, () => listener())
  }

  #watch(id: string, listener: RunChanged): () => void {
    const listeners = this.#listeners.get(id) ?? new Set()
    this.#listeners.set(id, listeners.add(listener))
    const stop = this.#journals.watch(id, listener)
    return () => {
      stop?.()
      listeners.delete(listener)
      if (listeners.size === 0) this.#listeners.delete(id)
    }
  }

  /** Calls the function at the deadline of a run. Returns a function that stops it. */
  #atDeadline(record: RunRecord, callback: () => void): () => void {
    const deadline = deadlineOf(record)
    return deadline === undefined ? () => {} : this.options.clock.after(Math.max(1, deadline - this.#now()), callback)
  }

  /** True if the deadline of a run has passed, by the clock that all processes share. */
  isLate(record: RunRecord): boolean {
    return this.#now() >= (deadlineOf(record) ?? Infinity)
  }

  /** Returns the entries that cancel a run, and end it if no process works on it. */
  #cancelling(record: RunRecord, reason: string | undefined): readonly RunEvent[] {
    const end = { type: 'ended', epoch: record.epoch, state: 'cancelled' } as const
    return [{ type: 'cancelling', reason }, ...(this.#isAtWork(record) ? [] : [end])]
  }

  /** Time of the clock that all processes of these runs share. */
  #now(): number {
    return this.options.logs.now?.() ?? this.options.clock.now()
  }

  /** True if a process works on a run, or if that is unknown. */
  #isAtWork({ id, epoch, holder }: RunRecord): boolean {
    return this.#held.get(id) === epoch || (holder !== undefined && this.options.isGone(holder) !== true)
  }

  #tell(id: string, isSettled?: boolean, except?: () => void): void {
    for (const listener of this.#listeners.get(id) ?? []) if (listener !== except) listener(isSettled)
  }

  async #found(id: string): Promise<FoundRun | undefined> {
    try {
      return await this.get(id)
    } catch (error) {
      if (!SkillsError.is(error)) throw error
      // It was removed meanwhile.
      if (error.code === 'E_RUN_UNKNOWN') return undefined
      return { id, problem: { code: error.code, message: messageOf(error) } }
    }
  }

  async #read(id: string, lines?: readonly string[]): Promise<JournalPart> {
    const part = await this.#journals.read(id, undefined, lines)
    if (part.entries.length > 0) return part
    throw unknown(id)
  }

  /** Reads the entries after the known ones. Rejects with `E_RUN_UNKNOWN` if the run was removed. */
  async #readOn(id: string, fold: RunFold): Promise<void> {
    const part = await this.#journals.read(id, fold.end)
    if (part.entries.length === 0 && !(await this.#journals.has(id, fold.end))) throw unknown(id)
    fold.add(part)
  }

  /** Adds entries that a notice brought. False if they do not follow the known ones. */
  async #isAdded(id: string, fold: RunFold, part: Parameters<RunChanged>[1]): Promise<boolean> {
    const lines = part?.lines.slice(fold.end.count - part.from) ?? []
    if (part === undefined || part.from > fold.end.count || lines.length === 0) return false
    try {
      fold.add(await this.#journals.read(id, fold.end, lines))
      return true
    } catch (error) {
      // A notice may be forged. The journal itself is read instead, and its errors are thrown there.
      if (SkillsError.is(error)) return false
      throw error
    }
  }

  async #fold(id: string): Promise<RunFold> {
    return new RunFold(await this.#read(id))
  }

  async #queue(id: string, change: (record: RunRecord) => readonly RunEvent[]): Promise<RunRecord> {
    const { record } = await this.#change(id, change)
    if (record.state === 'queued') await this.options.queued?.(record)
    return record
  }

  /** Appends the entries that `change` returns for the run. Repeated if another process was quicker. */
  async #change(id: string, change: (record: RunRecord) => readonly RunEvent[]): Promise<RunFold> {
    for (;;) {
      const fold = await this.#appended(await this.#fold(id), change)
      if (fold !== undefined) return fold
    }
  }

  /** Appends the entries that `change` returns. Undefined if another process was quicker. */
  async #appended(fold: RunFold, change: (record: RunRecord) => readonly RunEvent[]): Promise<RunFold | undefined> {
    const { id } = fold.record
    const entries = change(fold.record).map((event): RunEntry => ({ at: this.#now(), ...event }))
    if (entries.length === 0) return fold
    const written = await this.#journals.append(id, fold.end, entries, fold.record)
    if (written === undefined) return undefined
    fold.add(written)
    this.#tell(id)
    return fold
  }
}

/** Run that was submitted here a moment ago. Who waits for it need not read what was just written. */
class Submission {
  fold: RunFold | undefined
  /** True if it may have ended or been parked since. */
  isSettled = false
  readonly stop: () => void

  constructor(watch: (changed: (isSettled?: boolean) => void) => () => void) {
    this.stop = watch(isSettled => {
      if (isSettled !== false) this.isSettled = true
    })
  }
}

const unknown = (id: string): SkillsError =>
  runError('E_RUN_UNKNOWN', `There is no run ${JSON.stringify(id)}.`, 'Look at the list of runs.')

const isAnswer = (answer: unknown): answer is RunAnswer => answer === 'allow' || answer === 'deny'
const shownOf = (answer: unknown): string =>
  typeof answer === 'string' ? JSON.stringify(answer) : `A value of the type ${typeof answer}`

/** True if a run matches a filter. A run that cannot be read matches only a filter without conditions on its content. */
function matches(run: FoundRun, { id = '', limit: _limit, ...filter }: RunFilter): boolean {
  if (!run.id.startsWith(id)) return false
  if ('problem' in run) return Object.values(filter).every(condition => condition === undefined)
  const { session = run.session, tenant = run.job?.tenant, ...others } = filter
  return session === run.session && tenant === run.job?.tenant && isAmong(factsOf(run), others)
}

/** Time of the submission of a run, or a given time if the run cannot be read. */
const submission = (run: FoundRun, unreadable: number): number => ('problem' in run ? unreadable : run.queuedAt)

function notNow({ id, state }: RunRecord, message: string): SkillsError {
  return runError('E_RUN_STATE', `The run ${id} is ${state}: ${message}`, `Look at the run: skills runs show ${id}`)
}
