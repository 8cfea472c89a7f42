import { createHash } from 'node:crypto'
import { abortError, SkillsError, type Clock, type MaybePromise } from '@skills/core'
import { isSettling } from './journal-text.js'
import { isOfStorage, runError } from './run-error.js'
import { recordAfter } from './run-record.js'
import {
  deadlineOf,
  isEnded,
  pastDeadline,
  type RunAnswer,
  type RunEnding,
  type RunEntry,
  type RunEvent,
  type RunQuestion,
  type RunRecord,
} from './run.js'
import type { JournalStep, RunJournal } from '@skills/invocation'
import type { HeldRun } from './runs.js'
import type { FoldedStep, RunFold } from './run-fold.js'
import type { CheckedEntry, Journals } from './journals.js'

export interface HeldRunParts {
  readonly journals: Journals
  readonly clock: Pick<Clock, 'now' | 'after'>
  /** State of the journal, including the entry by which the run was taken unless that is `taking`. */
  readonly fold: RunFold
  /** Entry by which the run is taken, to be written with the first of the others. */
  readonly taking?: (RunEntry & { readonly type: 'taken' }) | undefined
  /** True if results of calls are written together with what follows from them, or soon. */
  readonly isDeferred: boolean
  /** Returns true if a failed run is released for another attempt in place of being ended. */
  readonly isTriedAgain?: ((record: RunRecord, ending: RunEnding) => boolean) | undefined
  /** Called after entries were written here, with true if one of them ends or parks the run. */
  readonly changed: (isSettled: boolean) => void
  /** Calls the listener when others may have written to the journal. Returns a function that stops it. */
  readonly watch: (listener: () => void) => () => void
  /** Called when nothing more is written here. */
  readonly left: () => void
}

/** Milliseconds in which other entries may join those that nothing waits for. */
const soonMs = 10
/** The same in a process that is busy, where one write instead of several helps most. */
const latestMs = 100

/** Run that this process works on, with the journal it writes to. */
export class LoggedHeldRun implements HeldRun, RunJournal {
  readonly #id: string
  readonly #epoch: number
  readonly #over = new AbortController()
  /** Last write. Entries are written one after the other. */
  #writing: Promise<unknown> = Promise.resolve()
  readonly #pending: CheckedEntry[] = []
  /** Finished steps that are not written yet, by their keys. */
  readonly #unwritten = new Map<string, FoldedStep & { readonly isAnswer: boolean }>()
  /** Entries that wait until those before them are written. */
  #batch: { readonly entries: CheckedEntry[]; readonly written: Promise<void> } | undefined
  /** Entry by which the run is taken, while it is not written. */
  #taking: HeldRunParts['taking']
  #stopSoon: (() => void) | undefined
  /** Calls in progress. */
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #waiting = new Set<() => void>()
  #state: 'at work' | 'parking' | 'parked' | 'left' = 'at work'
  readonly #stopWatching: () => void
  #stopDeadline = (): void => {}

  constructor(private readonly parts: HeldRunParts) {
    this.#taking = parts.taking
    const { id, epoch, isCancelling } = this.record
    this.#id = id
    this.#epoch = epoch
    this.#stopWatching = parts.watch(() => {
      // If the journal cannot be read now, it is read before the next entry is written.
      void this.#inTurn(() => this.#refresh()).catch(() => {})
    })
    if (isCancelling) this.#over.abort()
    this.#awaitDeadline()
    if (this.#taking !== undefined) this.#soon()
  }

  get record(): RunRecord {
    const { record } = this.parts.fold
    return (this.#taking && recordAfter(record, this.#taking)) ?? record
  }

  get journal(): RunJournal {
    return this
  }

  get signal(): AbortSignal {
    return this.#over.signal
  }

  get isParked(): boolean {
    return this.#state === 'parked'
  }

  async step<T>(
    { kind, key, input, idempotent, title, instead }: JournalStep<T>,
    make: (begin: () => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const digest = digestOf(input)
    const known = this.#unwritten.get(key) ?? this.parts.fold.steps.get(key)
    if (known !== undefined && known.digest !== digest)
      throw this.#stopped(
        runError(
          'E_RUN_CHANGED',
          `The run ${this.#id} cannot continue: the input of its step ${JSON.stringify(title ?? key)} differs from the recorded input.`,
          'A skill, tool or program has changed since then. Start a new run.',
        ),
      )
    // The recorded value was returned by this function.
    if (known?.isFinished === true) return known.value as T
    const isUnderWay = known !== undefined && !known.idempotent && known.epoch !== this.#epoch
    if (isUnderWay && (await this.#mayRepeat(key, known.epoch, title)) === 'deny') {
      if (instead === undefined)
        throw this.#stopped(
          runError('E_RUN_STATE', `The run ${this.#id} ends: ${title ?? key} may not be repeated.`, 'Start a new run.'),
        )
      await this.#write({ type: 'finished', epoch: this.#epoch, kind, key, digest, value: instead })
      return instead
    }
    await this.#mayBegin()
    let [end, hasEffect] = [(): void => {}, kind !== 'own']
    try {
      const value = await make(async () => {
        await this.#mayBegin()
        const begun: RunEvent = { type: 'begun', epoch: this.#epoch, kind, key, digest, idempotent, title }
        // The beginning of a repeatable call is written together with its end, which is early enough once the answer
        // that asks for it is written.
        const isAsked = [...this.#unwritten.values()].some(({ isAnswer }) => isAnswer)
        if (idempotent && !isAsked) await this.#later(begun)
        else await this.#write(begun)
        hasEffect ||= !idempotent
        // A step of the run itself is alone, and may be the one that asks.
        if (kind !== 'own') end = this.#begins()
      })
      const finished: RunEvent = { type: 'finished', epoch: this.#epoch, kind, key, digest, value }
      // An answer of the model has no effect before the next entry: the call of a tool, a question, or the end. Nor has
      // the result of a call, but a call whose result is not written would have to be asked about.
      const isAnswer = kind === 'model'
      const isResult = hasEffect && !isAnswer
      if (isResult && (!this.parts.isDeferred || this.signal.aborted)) await this.#write(finished)
      else {
        await this.#later(finished)
        const step = { digest, epoch: this.#epoch, idempotent, isFinished: true, value, isAnswer }
        if (isAnswer || isResult) this.#unwritten.set(key, step)
        if (isResult) this.#soon()
      }
      return value
    } finally {
      end()
    }
  }

  async ask(question: RunQuestion, host?: () => MaybePromise<RunAnswer>): Promise<RunAnswer> {
    const recorded = (): RunAnswer | undefined => this.parts.fold.answers.get(question.id)
    const { id } = question
    await this.#mayBegin()
    const before = recorded()
    if (before !== undefined) return before
    await this.#write({ type: 'asked', epoch: this.#epoch, question })
    if (host === undefined) return this.#park()
    const answer = await Promise.race([host(), this.#until(recorded)])
    // The first answer counts, also if another process gave it.
    await this.#write({ type: 'answered', question: id, answer })
    return recorded() ?? answer
  }

  async restart(): Promise<void> {
    await this.#write({ type: 'restarted', epoch: this.#epoch })
  }

  async release(reason: string): Promise<void> {
    return this.#release({ reason })
  }

  async end(ending: RunEnding, cause?: unknown): Promise<void> {
    const { fold, isTriedAgain } = this.parts
    // It says nothing about the run, which continues where its journal can be written.
    if (ending.state === 'failed' && isOfStorage(cause))
      return this.release(ending.error?.message ?? 'Its journal could not be written.')
    if (ending.state === 'failed' && isTriedAgain?.(fold.record, ending) === true)
      return this.#release({ reason: ending.error?.message ?? 'It failed.', isFailure: true })
    await this.#write({ ...ending, type: 'ended', epoch: this.#epoch })
    this.#leave('left')
  }

  async #release(given: { readonly reason: string; readonly isFailure?: boolean }): Promise<void> {
    await this.#write({ type: 'released', epoch: this.#epoch, ...given })
    this.#leave('left')
  }

  /** Waits for calls in progress, then releases the run. Any process can answer its question at any time. */
  async #park(): Promise<never> {
    if (this.#state === 'at work') {
      this.#state = 'parking'
      while (this.#underWay.size > 0) await Promise.all(this.#underWay)
      await this.#write({ type: 'parked', epoch: this.#epoch })
      this.#leave(isEnded(this.record) ? 'left' : 'parked')
    }
    return this.#until<never>(() => undefined)
  }

  #mayRepeat(key: string, epoch: number, title = key): Promise<RunAnswer> {
    return this.ask({
      id: `repeat ${key} ${epoch}`,
      kind: 'repeat',
      tool: title.replace(/ .*/s, ''),
      content: title.replace(/^\S* ?/, ''),
      message: `${title} was running when its process ended, and may have taken effect. Repeat it?`,
    })
  }

  /** Rejects or waits, if the run is being parked or is over, so that no further step begins. */
  async #mayBegin(): Promise<void> {
    if (this.#state !== 'at work') await this.#until(() => undefined)
    const deadline = deadlineOf(this.record)
    if (deadline !== undefined && this.parts.clock.now() >= deadline) await this.#expire()
    if (this.signal.aborted) throw this.#reason
  }

  /** Cancels the run at its deadline. A timer may be early, so the clock is asked again. */
  #awaitDeadline(): void {
    const { clock, fold } = this.parts
    const left = (deadlineOf(fold.record) ?? Infinity) - clock.now()
    // What keeps the entry from being written stops the run too.
    if (left <= 0) void this.#expire().catch(() => {})
    else if (left < Infinity) this.#stopDeadline = clock.after(Math.max(1, left), () => this.#awaitDeadline())
  }

  /** Cancels the run, because its deadline has passed. */
  async #expire(): Promise<void> {
    if (this.signal.aborted) return
    this.#stopped()
    await this.#write({ type: 'cancelling', reason: pastDeadline })
  }

  #begins(): () => void {
    let end = (): void => {}
    const underWay = new Promise<void>(resolve => {
      end = resolve
    })
    this.#underWay.add(underWay)
    return () => {
      this.#underWay.delete(underWay)
      end()
    }
  }

  /** Waits for entries until `read` returns a value. Rejects when the run is over. */
  async #until<T>(read: () => T | undefined): Promise<T> {
    for (;;) {
      const value = read()
      if (value !== undefined) return value
      if (this.signal.aborted) throw this.#reason
      await new Promise<void>(resolve => this.#waiting.add(resolve))
    }
  }

  get #reason(): unknown {
    const reason: unknown = this.signal.reason
    return SkillsError.is(reason) ? reason : abortError(this.signal)
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#writing.then(work)
    this.#writing = next.catch(() => {})
    return next
  }

  /** Queues an entry to be written together with the next one that must not wait. */
  async #later(event: RunEvent): Promise<void> {
    const { journals, clock } = this.parts
    try {
      this.#pending.push(await journals.checked(this.#id, { at: clock.now(), ...event }))
    } catch (error) {
      throw this.#stopped(error)
    }
  }

  /** Has the queued entries written soon, unless the next one that must not wait comes before. */
  #soon(since = this.parts.clock.now(), before = since): void {
    const { clock } = this.parts
    this.#stopSoon ??= clock.after(soonMs, () => {
      this.#stopSoon = undefined
      const now = clock.now()
      const isBusy = now - before >= 2 * soonMs && now - since < latestMs
      if (isBusy) this.#soon(since, now)
      // What keeps the entries from being written stops the run too.
      else void this.flush().catch(() => {})
    })
  }

  async #write(event: RunEvent): Promise<void> {
    await this.#later(event)
    await this.flush()
  }

  async flush(): Promise<void> {
    this.#stopSoon?.()
    this.#stopSoon = undefined
    const batch = (this.#batch ??= this.#nextBatch())
    batch.entries.push(...this.#pending.splice(0))
    await batch.written
  }

  /** Makes the entries that are written when those before them are. Entries of calls at the same time join them. */
  #nextBatch(): { readonly entries: CheckedEntry[]; readonly written: Promise<void> } {
    const entries: CheckedEntry[] = []
    const written = this.#inTurn(async () => {
      this.#batch = undefined
      await this.#writeAll(entries)
    })
    return { entries, written }
  }

  async #writeAll(given: readonly CheckedEntry[]): Promise<void> {
    const { journals, fold, changed } = this.parts
    const entries = given.map(({ entry }) => entry)
    try {
      for (;;) {
        if (this.#state === 'left' || this.#state === 'parked') throw this.#reason
        const { end } = fold
        const now = [...(this.#taking ? [this.#taking] : []), ...given.flatMap(one => this.#nowOf(one, entries))]
        if (now.length === 0) return
        const written = await journals.append(this.#id, end, now, fold.record)
        if (written !== undefined) {
          this.#taking = undefined
          fold.add(written)
          break
        }
        await this.#refresh()
        if (fold.end.count === end.count)
          throw runError(
            'E_RUN_JOURNAL',
            `The journal of the run ${this.#id} has lost an entry that was written to it.`,
            'Look at the journal. This process does not continue the run.',
          )
      }
    } catch (error) {
      // A call that cannot be recorded must not be made.
      this.#stopped(error)
      // If only this entry cannot be written, the end still can. Otherwise the next process continues from the
      // recorded part.
      if (!SkillsError.is(error) || error.code !== 'E_RUN_ENTRY') this.#leave('left')
      throw error
    }
    for (const entry of entries) if (entry.type === 'finished') this.#unwritten.delete(entry.key)
    this.#wake()
    changed(isSettling(entries))
  }

  /**
   * Returns an entry as it is written now. A run that is cancelled while it parks ends instead: later no process
   * would end it. Nothing follows the end of a run.
   */
  #nowOf(given: CheckedEntry, all: readonly RunEntry[]): readonly (CheckedEntry | RunEntry)[] {
    const { entry } = given
    const end = all.findIndex(({ type }) => type === 'ended')
    if (end !== -1 && all.indexOf(entry) > end) return []
    const isCancelling = this.record.isCancelling || all.some(({ type }) => type === 'cancelling')
    if (entry.type !== 'parked' || !isCancelling) return [given]
    return [{ at: entry.at, type: 'ended', epoch: entry.epoch, state: 'cancelled' }]
  }

  /** Reads entries of other processes. */
  async #refresh(): Promise<void> {
    if (this.#state === 'left' || this.#state === 'parked') return
    const { journals, fold } = this.parts
    const part = await journals.read(this.#id, fold.end)
    fold.add(part)
    const { epoch, isCancelling } = fold.record
    const isTaken = this.#taking === undefined
    // What this process has begun to do follows from what it had read. A call that the former holder has made since then
    // would be made again.
    const isOther = !isTaken && !part.entries.every(leavesSteps)
    if (epoch !== (isTaken ? this.#epoch : this.#epoch - 1) || isEnded(fold.record) || isOther) {
      this.#stopped(
        runError(
          'E_RUN_LOST',
          `${fold.record.holder?.name ?? 'Another process'} works on the run ${this.#id}, so this process writes nothing more.`,
          'That process reports how the run ends. If it has lost the run too, the run is taken again.',
        ),
      )
      this.#leave('left')
      throw this.#reason
    }
    if (isCancelling) this.#stopped()
    this.#wake()
  }

  /** Stops the work. The end can still be recorded. */
  #stopped<E>(reason?: E): E | undefined {
    if (!this.signal.aborted) this.#over.abort(reason)
    this.#wake()
    return reason
  }

  #leave(state: 'parked' | 'left'): void {
    this.#state = state
    this.#stopSoon?.()
    this.#stopWatching()
    this.#stopDeadline()
    this.#stopped()
    this.parts.left()
  }

  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const resolve of waiting) resolve()
  }
}

/** True if the steps of a run, and the answers to its questions, are the same after an entry. */
const leavesSteps = (entry: RunEntry): boolean =>
  ['cancelling', 'ended', 'delivered', 'released'].includes(entry.type) || (entry.type === 'retried' && !entry.isFresh)

/** Returns the SHA-256 of a step's input. */
export function digestOf(input: unknown): string {
  const text = JSON.stringify(input, (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  )
  return createHash('sha256')
    .update(text ?? '')
    .digest('hex')
}
