import { isEnded, type RunLogs, type RunRecord } from '@skills/runs'
import type { RunEnding, RunHolder } from '@skills/runs/internal'
import type { JobQueue, BullmqServer, RunOfJob } from './bullmq-server.js'

/** Job that this process works on. */
export interface JobInHand {
  readonly job: RunOfJob
  /** BullMQ's token for this delivery of the job. */
  readonly token: string
  /** Reason for which this process released its run, to be tried again. */
  released?: string
}

/** Holder of a run: the job with which a process received it. */
interface JobHolder {
  readonly job: string
  readonly token: string
}

/** Failures that may not occur in another attempt or with another worker. */
const mayPass: ReadonlySet<string> = new Set(['E_PROVIDER_FAILED', 'E_TIMEOUT', 'E_UNKNOWN_NAME', 'E_RUN_CHANGED'])

/**
 * Runs as jobs of BullMQ. A job stands for one queueing of a run. The name of the job consists of the run's id and
 * epoch, so that queueing the same run twice has no further effect.
 */
export class RunQueue {
  /** Name of BullMQ's queue. */
  readonly name = 'runs'
  readonly logs: RunLogs
  readonly #hand = new Map<string, JobInHand>()
  /** Jobs by the runs that this process works on. */
  readonly #jobOf = new Map<string, string>()
  readonly #closing: (() => Promise<void>)[] = []
  #opening: Promise<JobQueue> | undefined

  constructor(readonly server: BullmqServer) {
    const { logs } = server
    const opened = async (): Promise<RunLogs> => {
      await this.opened()
      return logs
    }
    this.logs = {
      append: async (id, count, lines, entries) => {
        const isAppended = await (await opened()).append(id, count, lines, entries)
        const [last, hand] = [entries.at(-1), this.#hand.get(this.#jobOf.get(id) ?? '')]
        if (isAppended && last?.type === 'released' && hand?.job.data.run === id) hand.released = last.reason
        return isAppended
      },
      read: async (...given) => (await opened()).read(...given),
      ids: async () => (await opened()).ids(),
      remove: async (...given) => (await opened()).remove(...given),
      watch: (id, changed) => logs.watch?.(id, changed) ?? (() => {}),
    }
  }

  /** Opens the queue on the server. */
  opened(): Promise<JobQueue> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  async #open(): Promise<JobQueue> {
    await this.server.open()
    const queue = await this.server.queue(this.name)
    // Requests reject separately.
    queue.on('error', () => {})
    return queue
  }

  /** Adds a job for a run that has to be executed. */
  async add(record: RunRecord, after?: string): Promise<void> {
    const { id, epoch, model, job: { tenant, priority, delayMs, attempts = 3, backoffMs = 1_000 } = {} } = record
    const queue = await this.opened()
    await queue.add(
      'run',
      { run: id, model, tenant, after },
      {
        jobId: jobIdOf(id, epoch),
        ...(priority !== undefined && { priority }),
        // It was delayed before it was first taken.
        ...(delayMs !== undefined && epoch === 0 && { delay: delayMs }),
        attempts,
        backoff: { type: 'exponential', delay: backoffMs },
        removeOnComplete: true,
        removeOnFail: true,
      },
    )
  }

  /**
   * Queues runs that have to be executed and have no job: those of a process that ended before it queued them, and
   * those that BullMQ has lost.
   * @param readable returns a run; undefined for one that cannot be read, which is skipped
   */
  async addLeft(ms: number, readable: (id: string) => Promise<RunRecord | undefined>): Promise<void> {
    const queue = await this.opened()
    for (const id of await this.server.left(ms, 100)) {
      const record = await readable(id)
      if (record === undefined) continue
      const { holder, epoch } = record
      const held = holderOf(holder)
      // A run that a process took without a job belongs to that process.
      if (isEnded(record) || (holder !== undefined && held === undefined)) continue
      let isJob = false
      for (let at = 0; at <= epoch && !isJob; at++) isJob = (await queue.getJob(jobIdOf(id, at))) !== undefined
      if (!isJob && (record.question === undefined || held !== undefined)) await this.add(record, held?.token)
    }
  }

  /** Marks that this process works on a job, until the returned function is called. */
  begin(job: RunOfJob, token: string): () => void {
    const { id = '' } = job
    this.#hand.set(id, { job, token })
    this.#jobOf.set(job.data.run, id)
    return () => {
      if (this.#hand.get(id)?.token !== token) return
      this.#hand.delete(id)
      for (const [run, other] of this.#jobOf) if (other === id) this.#jobOf.delete(run)
    }
  }

  /** Returns the reason for which this process released the run of a job. Undefined if it did not. */
  releasedFor({ id = '' }: RunOfJob): string | undefined {
    return this.#hand.get(id)?.released
  }

  /** Returns the holder of a run that is taken here. A nested run is held by the job of its parent. */
  holds({ id, parentId }: { readonly id: string; readonly parentId?: string | undefined }): JobHolder | undefined {
    const job = this.#jobOf.get(id) ?? this.#jobOf.get(parentId ?? '')
    const token = this.#hand.get(job ?? '')?.token
    if (job === undefined || token === undefined) return undefined
    this.#jobOf.set(id, job)
    return { job, token }
  }

  /** True if a holder has lost its run. BullMQ delivers a job again only after its lock has expired. */
  isGone(holder: RunHolder): boolean | undefined {
    const held = holderOf(holder)
    if (held === undefined) return undefined
    const mine = this.#hand.get(held.job)
    if (mine !== undefined) return mine.token !== held.token
    return [...this.#hand.values()].some(({ job }) => job.data.after === held.token) ? true : undefined
  }

  isTriedAgain({ id, job: { attempts = 3 } = {} }: RunRecord, { error }: RunEnding): boolean {
    const job = this.#hand.get(this.#jobOf.get(id) ?? '')?.job
    if (job === undefined || job.data.run !== id || !mayPass.has(error?.code ?? 'E_PROVIDER_FAILED')) return false
    // BullMQ's own number of attempts is not signed.
    return job.attemptsMade + 1 < attempts
  }

  /** Registers work that has to end before the connections do. */
  onClose(close: () => Promise<void>): void {
    this.#closing.push(close)
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#closing.map(close => close()))
    const queue = await this.#opening?.catch(() => undefined)
    await queue?.close()
    await this.server.close()
  }
}

const jobIdOf = (id: string, epoch: number): string => `${encodeURIComponent(id)}.${epoch}`

function holderOf(holder: RunHolder | undefined): JobHolder | undefined {
  const own = holder?.process
  if (typeof own !== 'object' || own === null) return undefined
  const [job, token]: unknown[] = [Reflect.get(own, 'job'), Reflect.get(own, 'token')]
  return typeof job === 'string' && typeof token === 'string' ? { job, token } : undefined
}
