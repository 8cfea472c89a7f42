import type { Clock, Diagnostic } from '@skills/core'
import type { RunEntry, RunLogs } from '@skills/runs'
import { isSettling, type QueuedJob, type RunChanged, type RunFacts } from '@skills/runs/internal'
import type { Job, JobsOptions, Processor, WorkerOptions } from 'bullmq'

/** Data that BullMQ stores for a run that has to be executed. */
export interface JobData extends Omit<QueuedJob, 'id'> {}

/** Data with which a job is delivered. */
export interface DeliveredData extends JobData {
  /** Lines of the journal when the job was delivered, if the server returns them. */
  readonly lines?: readonly string[] | null
}

export type RunOfJob = Job<DeliveredData, void, 'run'>

/** Job that a worker has, as it is asked for. */
export type ActiveJob = Pick<
  RunOfJob,
  'id' | 'data' | 'attemptsStarted' | 'stalledCounter' | 'processedOn' | 'progress'
>

export interface StoredJob {
  /** Number of its delivery, if the run was begun in that. */
  readonly progress: unknown
  readonly attemptsStarted: number
  readonly timestamp: number
  /** Number with which it is delivered now; 0: before all with a number. */
  readonly priority: number
  isActive(): Promise<boolean>
  promote(): Promise<void>
  changePriority(given: { readonly priority: number; readonly lifo?: boolean }): Promise<void>
}

/** Jobs as BullMQ adds and finds them. */
export interface BullmqJobs {
  add(name: 'run', data: JobData, options: JobsOptions): Promise<unknown>
  getJob(id: string): Promise<StoredJob | undefined>
  getActive(): Promise<readonly ActiveJob[]>
  getJobCounts(
    ...types: readonly ('waiting' | 'prioritized' | 'delayed' | 'active')[]
  ): Promise<Readonly<Record<string, number>>>
  getJobs(
    types: ('waiting' | 'prioritized')[],
    start: number,
    end: number,
    asc: boolean,
  ): Promise<readonly { readonly timestamp: number }[]>
  close(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
}

export interface BullmqWorker {
  close(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'completed', listener: (job: { readonly id?: string | undefined }) => void): unknown
}

/** Place of a job in a line, claimed by the process that wakes it. */
export interface Place {
  readonly job: string
  /** Text that another claim of the same place does not have. */
  readonly claim: string
}

/** Milliseconds after which another process may claim a place: the first one was killed, or cannot reach its server. */
export const wakingMs = 5_000

/** Server that stores journals and BullMQ's queue. */
export interface BullmqServer {
  readonly logs: RunLogs
  /** Creates what it needs on the server, and connects. Rejects with `E_QUEUE` and `E_QUEUE_VERSION`. */
  open(): Promise<void>
  /** Returns the queue. Call `open()` first. */
  queue(name: string): Promise<BullmqJobs>
  /** Starts a worker. Call `open()` first. */
  worker(
    name: string,
    work: Processor<DeliveredData, void, 'run'>,
    options: Omit<WorkerOptions, 'connection'>,
  ): Promise<BullmqWorker>
  /**
   * Appends the first entries of a run, and calls `add`, which adds its job in the same statement: both are there, or
   * neither. Returns false if the run exists. Undefined: the server cannot do that.
   * @param job id of the job
   */
  submit?(
    id: string,
    job: string,
    lines: readonly string[],
    entries: readonly RunEntry[],
    add: () => Promise<unknown>,
    facts: RunFacts | undefined,
  ): Promise<boolean>
  /** Returns the jobs of a queue that workers have, by one request. Undefined: BullMQ asks for each. */
  active?(queue: string): Promise<readonly ActiveJob[]>
  /**
   * Registers that a job waits for a key. If it is registered already, it keeps its place, and a claim ends.
   * @param order milliseconds since the epoch; jobs with lower ones come first
   */
  wait(key: string, job: string, order: number): Promise<void>
  /**
   * Returns the first job that waits for a key. It keeps its place until {@link BullmqServer.leave}, but for
   * {@link wakingMs} milliseconds no other caller gets it.
   */
  claim(key: string): Promise<Place | undefined>
  /** Removes a job from its place, unless it was put into the line again or claimed by another caller. */
  leave(key: string, place: Place): Promise<void>
  /** Does what `wait()` does, for the first of these keys for which others wait already, and returns that key. */
  waitBehind(keys: readonly string[], job: string, order: number): Promise<string | undefined>
  /** Returns the keys for which jobs wait. */
  waited(): Promise<readonly string[]>
  /** Returns the key for which one of these jobs waits. */
  lineOf(jobs: readonly string[]): Promise<string | undefined>
  /**
   * Returns the first jobs of a queue that are not counted by any of these keys and are to be delivered after one that
   * is.
   */
  passing(queue: string, keys: readonly string[], most: number): Promise<readonly string[]>
  /**
   * Returns ids of runs that have to be executed and were not queued or taken for this many milliseconds, oldest first.
   * Each is returned again only after the same time.
   * @param isNew return only those for which {@link BullmqServer.added} was not called
   */
  left(ms: number, most: number, isNew: boolean): Promise<readonly string[]>
  /** Records that jobs were added for these runs. */
  added(runs: readonly string[]): Promise<void>
  /** Returns ids of runs that have not ended and whose deadline has passed. */
  late(most: number): Promise<readonly string[]>
  /** Removes the deadlines of runs. */
  forgetDeadlines(runs: readonly string[]): Promise<void>
  close(): Promise<void>
}

export interface ServerOptions {
  /** Schema in PostgreSQL, prefix in Redis. */
  readonly name: string
  readonly clock: Clock
  /** Milliseconds to wait for a server that was reachable before. */
  readonly patienceMs: number
  /** Milliseconds between two looks at the runs that are waited for, beside notices. */
  readonly lookMs: number
  /** Called once with how the server may lose what it has confirmed. */
  readonly onDiagnostic: (diagnostic: Diagnostic) => void
}

/** Returns options for BullMQ without undefined values. */
export function givenOf<T>(options: object): T {
  const given: readonly (readonly unknown[])[] = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}

const closing: ReadonlySet<RunEntry['type']> = new Set(['ended', 'parked', 'delivered'])
const queueing: ReadonlySet<RunEntry['type']> = new Set(['queued', 'taken', 'answered', 'retried', 'released'])

/** True if a run has to be executed after these entries. What follows the end of a run in them does not open it. */
export const isOpenAfter = (entries: readonly RunEntry[]): boolean =>
  !closing.has(entries.at(-1)?.type ?? 'queued') && !entries.some(({ type }) => type === 'ended')

/** True if a job has to be added for a run after these entries. */
export const needsJob = (entries: readonly RunEntry[]): boolean =>
  isOpenAfter(entries) && isQueueing(entries) && !entries.some(({ type }) => type === 'taken')

/** Returns the milliseconds after its submission at which a run is cancelled. Undefined for other entries. */
export function deadlineIn([first]: readonly RunEntry[]): number | undefined {
  return first?.type === 'queued' ? first.spec.job?.deadlineMs : undefined
}

/** True if one of these entries queues or takes the run. */
export const isQueueing = (entries: readonly RunEntry[]): boolean => entries.some(({ type }) => queueing.has(type))

/** Mark in a notice, and whether it says that the run ended or was parked. */
const marks: ReadonlyMap<string, boolean> = new Map([
  ['!', true],
  ['.', false],
])

/** Listeners for changes of runs. */
export class Watchers {
  readonly #listeners = new Map<string, Set<RunChanged>>()
  #counts: ReadonlyMap<string, number> = new Map()
  /** Number of notices so far, also of changes by this process. */
  notices = 0
  /** Token of this process, which needs no notice of its own changes. */
  readonly token = crypto.randomUUID().slice(0, 8)

  add(id: string, changed: RunChanged): () => void {
    const listeners = this.#listeners.get(id) ?? new Set()
    this.#listeners.set(id, listeners.add(changed))
    return () => {
      listeners.delete(changed)
      if (listeners.size === 0) this.#listeners.delete(id)
    }
  }

  /** @param payload what {@link noticeOf} made, followed by the id of the run */
  tell(payload: string): void {
    this.notices += 1
    if (payload.startsWith(this.token)) return
    // A process of an earlier version does not tell whether the run has ended: it writes a space.
    const isSettled = marks.get(payload.charAt(8))
    for (const changed of this.#listeners.get(payload.slice(9)) ?? []) changed(isSettled)
  }

  /** @param payload what {@link noticeOf} made, the id of the run, and its entries from the second on, a line each */
  tellLines(payload: string): void {
    if (payload.startsWith(this.token)) return
    const [id = '', ...lines] = payload.slice(9).split('\n')
    for (const changed of this.#listeners.get(id) ?? []) changed(true, { from: 1, lines })
  }

  /** Makes the beginning of a notice: the token of this process, and whether the run ended or was parked. */
  noticeOf(entries: readonly RunEntry[]): string {
    return `${this.token}${isSettling(entries) ? '!' : '.'}`
  }

  /**
   * Notifies the listeners of runs that have other entries than at the last look, or none, for the case that a notice was
   * lost.
   * @param countsOf returns the numbers of entries
   */
  async compare(countsOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>): Promise<void> {
    const before = this.#counts
    const ids = [...this.#listeners.keys()]
    this.#counts = new Map(await countsOf(ids))
    for (const id of ids) {
      const count = this.#counts.get(id) ?? 0
      if (count === (before.get(id) ?? count) && count > 0) continue
      for (const changed of this.#listeners.get(id) ?? []) changed()
    }
  }

  /** Notifies all listeners after a time without a connection. */
  tellAll(): void {
    this.notices += 1
    for (const listeners of this.#listeners.values()) for (const changed of listeners) changed()
  }
}

/** Calls a function again and again, `lookMs` after it has settled. Returns a function that stops it. */
export function repeated({ clock, lookMs }: ServerOptions, look: () => Promise<void>): () => void {
  let isStopped = false
  let stop = clock.after(lookMs, () => void again())
  const again = async (): Promise<void> => {
    // The next look finds what this one could not ask.
    await look().catch(() => {})
    if (!isStopped) stop = clock.after(lookMs, () => void again())
  }
  return () => {
    isStopped = true
    stop()
  }
}

/**
 * Repeats a request while the server is unreachable, for a limited time.
 * @param ask function that sends the request. Its argument is true if the request was sent before and may have been
 *   executed
 */
export async function patiently<T>(
  { clock, patienceMs }: Pick<ServerOptions, 'clock' | 'patienceMs'>,
  isAway: (error: unknown) => boolean,
  ask: (isAgain: boolean) => Promise<T>,
): Promise<T> {
  const until = clock.now() + patienceMs
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 1_000))
    try {
      return await ask(pauseMs > 50)
    } catch (error) {
      if (clock.now() >= until || !isAway(error)) throw error
      await new Promise<void>(resolve => clock.after(pauseMs, resolve))
    }
}
