import * as s from '@skills/core/schema'
import { hostname } from 'node:os'
import { isEnded, type RunJob, type RunRecord, type RunSpec } from '../run.js'
import { JobsInHand, jobHolderOf } from './jobs-in-hand.js'
import { LoggedRuns } from '../logged-runs.js'
import { isOfStorage } from '../run-error.js'
import type { Clock } from '@skills/core'
import type { JobQueue, JobTerms, QueuedJob } from './job-queue.js'
import type { RunKeys } from '../run-keys.js'
import type { RunLogs } from '../run-logs.js'

const workerRunsOptions = s.options('new WorkerRuns()', {
  queue: s.typed<JobQueue>('a queue', 'logs').required(),
  keys: s.typed<RunKeys>('keys of runs').required(),
  /** Name of the queue, signed with each entry. */
  name: s.text().required(),
  clock: s.typed<Clock>('a clock').required(),
  /** Returns the queueing options of a run that is submitted here. */
  jobOf: s.fn<(spec: RunSpec) => RunJob | undefined>(),
})

/** Runs without a job that are looked at at the same time. */
const atOnce = 8
/** Milliseconds of waiting for which the priority of a run becomes one lower. */
const raiseMs = 60_000
/** Longest pause, in milliseconds, between two attempts to add a job. */
const mostPauseMs = 10_000

export interface WorkerRunsOptions extends s.OptionsOf<typeof workerRunsOptions> {}

/** Runs on a queue that can be closed. This type does not depend on the libraries of a queue. */
export interface OpenedRuns extends LoggedRuns {
  /** Returns the ids of runs that workers execute now. */
  atWork(): Promise<readonly string[]>
  limitOf(record: RunRecord): Promise<string | undefined>
  /** Closes its connections when the jobs of this process are finished. */
  close(): Promise<void>
}

/**
 * Runs that workers execute, over any queue. A job stands for one queueing of a run. The name of the job consists of
 * the run's id and epoch, so that queueing the same run twice has no further effect.
 */
export class WorkerRuns extends LoggedRuns implements OpenedRuns {
  /** Jobs that this process works on. */
  readonly inHand: JobsInHand
  /** Name of the queue. */
  readonly name: string
  readonly #queue: JobQueue
  readonly #jobOf: WorkerRunsOptions['jobOf']
  readonly #opened: () => Promise<JobQueue>
  readonly #closing: (() => Promise<void>)[] = []
  readonly #clock: Clock
  /** Jobs that could not be added and are tried again. */
  readonly #waits = new Set<() => void>()
  /** Runs that were submitted together with their jobs. */
  readonly #submitted = new Set<string>()
  #isClosed = false

  /** Throws `E_INVALID_OPTION`. */
  constructor(given: WorkerRunsOptions) {
    const { queue, keys, name, clock, jobOf } = workerRunsOptions.read(given)
    const here = `${hostname()} (${process.pid})`
    const inHand = new JobsInHand()
    const opened = openedOnce(queue)
    super({
      logs: { ...logsOf(queue, opened), append: (...parts) => this.#append(...parts) },
      keys,
      name,
      place: 'workers',
      clock,
      holder: run => ({ name: here, process: inHand.holds(run) }),
      isGone: holder => inHand.isGone(holder),
      queued: record => this.#queueNow(record),
      left: (record, isTaken) => inHand.leave(record, isTaken),
      isTriedAgain: (record, ending) => inHand.isTriedAgain(record, ending),
    })
    this.inHand = inHand
    this.name = name
    this.#queue = queue
    this.#jobOf = jobOf
    this.#opened = opened
    this.#clock = clock
  }

  override async submit(spec: RunSpec): Promise<RunRecord> {
    // The time of the submission is that of the server, which is known only then.
    await this.opened()
    const job = spec.job ?? this.#jobOf?.(spec)
    return super.submit(job === undefined ? spec : { ...spec, job })
  }

  /** Returns the queue once it is connected. */
  opened(): Promise<JobQueue> {
    return this.#opened()
  }

  async atWork(): Promise<readonly string[]> {
    return (await (await this.opened()).active()).map(({ run }) => run)
  }

  /**
   * Queues runs that have to be executed and have no job: those of a process that ended before it queued them, and
   * those that the queue has lost. The priority of those that have waited long is raised.
   * @param onError called for each run that cannot be read or queued now; the others are queued
   */
  async addLeft(ms: number, onError: (error: Error) => void): Promise<void> {
    const queue = await this.opened()
    const ids = [...(await queue.left(ms))]
    const next = async (): Promise<void> => {
      for (let id = ids.shift(); id !== undefined; id = ids.shift()) await this.#addUnlessJob(queue, id).catch(onError)
    }
    await Promise.all(Array.from({ length: atOnce }, next))
  }

  /** Cancels runs whose deadline has passed and that no process works on or waits for. */
  async expireLate(onError: (error: Error) => void): Promise<void> {
    await (
      await this.opened()
    ).late?.(async id => {
      try {
        // A run that another process ends is looked at again.
        return isEnded(await this.expire(id))
      } catch (error) {
        onError(error as Error)
        // A run that cannot be read has no deadline.
        return !isOfStorage(error)
      }
    })
  }

  async #addUnlessJob(queue: JobQueue, id: string): Promise<void> {
    const record = await this.get(id)
    const { holder, epoch } = record
    const held = jobHolderOf(holder)
    // A run that a process took without a job belongs to that process.
    if (isEnded(record) || (holder !== undefined && held === undefined)) return
    for (let at = epoch; at >= 0; at--) {
      const job = jobIdOf(id, at)
      if (await queue.has(job)) return this.#raise(queue, job, record)
    }
    if (record.question === undefined || held !== undefined) await this.#add(record, held?.token)
  }

  /** Raises the priority of a run that has waited long, so that runs of a higher one do not keep it waiting for ever. */
  async #raise(queue: JobQueue, id: string, { queuedAt, job: { priority = 0 } = {} }: RunRecord): Promise<void> {
    const waitedMs = (queue.logs.now?.() ?? this.#clock.now()) - queuedAt
    const raised = Math.max(0, priority - Math.max(0, Math.floor(waitedMs / raiseMs)))
    if (raised < priority) await queue.raise?.(id, raised)
  }

  async limitOf({ id, epoch, state }: RunRecord): Promise<string | undefined> {
    if (state !== 'queued') return undefined
    const queue = await this.opened()
    return queue.lineOf(Array.from({ length: epoch + 1 }, (_none, at) => jobIdOf(id, at)))
  }

  /** Registers work that has to end before the connections do. */
  onClose(close: () => Promise<void>): void {
    this.#closing.push(close)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const stop of this.#waits) stop()
    await Promise.allSettled(this.#closing.map(close => close()))
    await this.#queue.close()
  }

  /**
   * Adds a job for a run whose entries are written, so that the request has succeeded already. If the queue cannot be
   * reached now, it is tried again for a while; then a worker finds the run.
   */
  async #queueNow(record: RunRecord, pauseMs = 250): Promise<void> {
    try {
      await this.#add(record)
    } catch {
      if (this.#isClosed || pauseMs > mostPauseMs) return
      const stop = this.#clock.after(pauseMs, () => {
        this.#waits.delete(stop)
        void this.#queueNow(record, pauseMs * 2)
      })
      this.#waits.add(stop)
    }
  }

  /** Appends entries. The first entry of a run and its job are added together, if the queue can do that. */
  async #append(...[id, count, lines, entries, facts]: Parameters<RunLogs['append']>): Promise<boolean> {
    const queue = await this.opened()
    const [first, second] = entries
    if (queue.submit === undefined || count > 0 || first?.type !== 'queued' || second !== undefined)
      return queue.logs.append(id, count, lines, entries, facts)
    const isSubmitted = await queue.submit(lines, entries, ...jobFor({ ...first.spec, epoch: 0 }), facts)
    if (isSubmitted) this.#submitted.add(id)
    return isSubmitted
  }

  /** Adds a job for a run that has to be executed. */
  async #add(record: RunRecord, after?: string): Promise<void> {
    if (record.epoch === 0 && this.#submitted.delete(record.id)) return
    await (await this.opened()).add(...jobFor(record, after))
  }
}

/** Returns the job of a run that has to be executed. */
function jobFor(
  { id, epoch, model, job: { tenant, priority, delayMs } = {} }: Pick<RunRecord, 'id' | 'epoch' | 'model' | 'job'>,
  after?: string,
): [QueuedJob, JobTerms] {
  return [
    { id: jobIdOf(id, epoch), run: id, model, tenant, after },
    // It was delayed before it was first taken.
    { priority, delayMs: epoch === 0 ? delayMs : undefined },
  ]
}

const jobIdOf = (id: string, epoch: number): string => `${encodeURIComponent(id)}.${epoch}`

/** Returns a function that opens the queue the first time, and again after it could not be opened. */
function openedOnce(queue: JobQueue): () => Promise<JobQueue> {
  let opening: Promise<JobQueue> | undefined
  const open = async (): Promise<JobQueue> => {
    await queue.open()
    return queue
  }
  return () =>
    (opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    }))
}

const noRuns = { known: [], unknown: [] }

/** Returns journals that open the queue before they are used. */
function logsOf({ logs }: JobQueue, opened: () => Promise<JobQueue>): Omit<RunLogs, 'append'> {
  return {
    now: () => logs.now?.(),
    read: async (...given) => (await opened()).logs.read(...given),
    ids: async () => (await opened()).logs.ids(),
    remove: async (...given) => (await opened()).logs.remove(...given),
    watch: (id, changed) => logs.watch?.(id, changed) ?? (() => {}),
    ...(logs.indexed && { indexed: async filter => (await opened()).logs.indexed?.(filter) ?? noRuns }),
    ...(logs.learn && { learn: async (...given) => (await opened()).logs.learn?.(...given) }),
    ...(logs.removeAll && { removeAll: async (...given) => (await opened()).logs.removeAll?.(...given) ?? [] }),
    ...(logs.mark && { mark: async () => (await opened()).logs.mark?.() ?? '' }),
  }
}
