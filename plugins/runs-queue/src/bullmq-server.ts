import type { Clock } from '@skills/core'
import type { RunEntry, RunLogs } from '@skills/runs'
import type { Job, JobsOptions, Processor, WorkerOptions } from 'bullmq'

/** What BullMQ keeps of a run that is to be worked on. */
export interface JobData {
  /** Its id. */
  readonly run: string
  readonly model?: string | undefined
  readonly tenant?: string | undefined
  /** Token of the job that a process held the run by, and that there is not any more. */
  readonly after?: string | undefined
}

export type RunOfJob = Job<JobData, void, 'run'>

export interface JobQueue {
  add(name: 'run', data: JobData, options: JobsOptions): Promise<unknown>
  getJob(id: string): Promise<object | undefined>
  getActive(): Promise<readonly RunOfJob[]>
  close(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
}

export interface JobWorker {
  close(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** A server that keeps journals and BullMQ's queue. */
export interface BullmqServer {
  readonly logs: RunLogs
  /** Makes what it needs on the server, and connects. Rejects with `E_QUEUE` and `E_QUEUE_VERSION`. */
  open(): Promise<void>
  /** Once it is open. */
  queue(name: string): Promise<JobQueue>
  /** Once it is open. */
  worker(
    name: string,
    work: Processor<JobData, void, 'run'>,
    options: Omit<WorkerOptions, 'connection'>,
  ): Promise<JobWorker>
  /**
   * Ids of runs that are to be worked on and were not queued or taken for this many milliseconds, the oldest first. Each
   * is given again only after as long.
   */
  left(ms: number, most: number): Promise<readonly string[]>
  close(): Promise<void>
}

export interface ServerOptions {
  /** Schema in PostgreSQL, prefix in Redis. */
  readonly name: string
  readonly clock: Clock
  /** Milliseconds that a server which was reached before is waited for. */
  readonly patienceMs: number
}

/** Options as BullMQ is given them: what is undefined is as what is not given. */
export function givenOf<T>(options: object): T {
  const given: readonly (readonly unknown[])[] = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}

const closing: ReadonlySet<RunEntry['type']> = new Set(['ended', 'parked', 'delivered'])
const queueing: ReadonlySet<RunEntry['type']> = new Set(['queued', 'taken', 'answered', 'retried', 'released'])

/** Whether a run is to be worked on after these entries. */
export const isOpenAfter = (entries: readonly RunEntry[]): boolean => !closing.has(entries.at(-1)?.type ?? 'queued')

/** Whether they say who is to work on it. */
export const isQueueing = (entries: readonly RunEntry[]): boolean => entries.some(({ type }) => queueing.has(type))

/** What is to be told of changes of runs. */
export class Watchers {
  readonly #listeners = new Map<string, Set<() => void>>()
  /** Of this process: what it wrote itself it knows. */
  readonly token = crypto.randomUUID().slice(0, 8)

  add(id: string, changed: () => void): () => void {
    const listeners = this.#listeners.get(id) ?? new Set()
    this.#listeners.set(id, listeners.add(changed))
    return () => {
      listeners.delete(changed)
      if (listeners.size === 0) this.#listeners.delete(id)
    }
  }

  /** @param payload the token of the process that wrote, and the id of the run */
  tell(payload: string): void {
    if (payload.startsWith(this.token)) return
    for (const changed of this.#listeners.get(payload.slice(9)) ?? []) changed()
  }

  /** After a time in which nothing could be heard. */
  tellAll(): void {
    for (const listeners of this.#listeners.values()) for (const changed of listeners) changed()
  }
}

/**
 * Asks again while the server is away, for a time.
 * @param ask told whether it was asked before, so that what was asked may have been done
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
