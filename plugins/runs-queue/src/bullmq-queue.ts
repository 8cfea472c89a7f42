import { SkillsError, type Clock } from '@skills/core'
import type { DeliveredJob, JobEnd, JobQueue, JobTerms, JobWorkerOptions, QueuedJob } from '@skills/runs/internal'
import type { RunLogs } from '@skills/runs'
import type { ActiveJob, BullmqServer, BullmqJobs, RunOfJob, StoredJob } from './bullmq-server.js'

/** Name of BullMQ's queue. */
const name = 'runs'

/** Runs that a worker looks up at a time. */
const batch = 1_000
/** Runs with a job that are looked at again in one look, for the case that BullMQ has lost some. */
const mostOthers = 100
/** BullMQ's errors about a job that is not delayed, or does not exist. It does not export their names. */
const notDelayed: readonly unknown[] = [-3, -1]
/** Milliseconds after which added jobs are recorded. */
const tellMs = 1_000

/** Jobs of BullMQ on a server, beside the journals. */
export class BullmqQueue implements JobQueue {
  readonly logs: RunLogs
  readonly system = 'bullmq'
  #jobs: BullmqJobs | undefined
  readonly #added = new Set<string>()
  /** Jobs that this process works on. */
  readonly #inHand = new Map<string, RunOfJob>()
  #stopTelling: (() => void) | undefined

  constructor(
    private readonly server: BullmqServer,
    private readonly clock: Pick<Clock, 'after'>,
  ) {
    this.logs = server.logs
  }

  async open(): Promise<void> {
    await this.server.open()
    const jobs = await this.server.queue(name)
    // Requests reject separately.
    jobs.on('error', () => {})
    this.#jobs = jobs
  }

  async add(job: QueuedJob, terms: JobTerms): Promise<void> {
    await this.#add(job, terms)
    this.#tellAdded(job.run)
  }

  get submit(): JobQueue['submit'] {
    if (this.server.submit === undefined) return undefined
    return async (lines, entries, job, terms, facts) =>
      this.server.submit?.(job.run, job.id, lines, entries, () => this.#add(job, terms), facts) ?? false
  }

  async #add({ id, ...data }: QueuedJob, { priority, delayMs }: JobTerms): Promise<void> {
    const options = {
      jobId: id,
      ...(priority !== undefined && { priority }),
      ...(delayMs !== undefined && { delay: delayMs }),
      // Attempts of a run are counted in its journal. A job fails only if the server cannot be told how it ended.
      attempts: 1_000_000,
      backoff: { type: 'fixed', delay: 1_000 },
      removeOnComplete: true,
      removeOnFail: true,
    }
    await this.#opened.add('run', data, options)
  }

  async has(id: string): Promise<boolean> {
    return (await this.#opened.getJob(id)) !== undefined
  }

  async active(): Promise<readonly DeliveredJob[]> {
    const jobs = await (this.server.active?.(name) ?? this.#opened.getActive())
    return jobs.map(job => deliveredOf(job))
  }

  async depth(): ReturnType<JobQueue['depth']> {
    const jobs = this.#opened
    const {
      waiting = 0,
      prioritized = 0,
      delayed = 0,
      active = 0,
    } = await jobs.getJobCounts('waiting', 'prioritized', 'delayed', 'active')
    // Jobs without a priority are delivered before all others.
    const [next] = await jobs.getJobs([waiting > 0 ? 'waiting' : 'prioritized'], 0, 0, true)
    const counts = { waiting: waiting + prioritized, delayed, active }
    return { jobs: counts, ...(next !== undefined && { since: next.timestamp }) }
  }

  async begun(id: string): Promise<void> {
    const job = this.#inHand.get(id)
    // With the number of its delivery, so that the mark does not count for another delivery.
    await job?.updateProgress(job.attemptsStarted)
  }

  wait(key: string, id: string, order: number): Promise<void> {
    return this.server.wait(key, id, order)
  }

  waitBehind(keys: readonly string[], id: string, order: number): Promise<string | undefined> {
    return this.server.waitBehind(keys, id, order)
  }

  waited(): Promise<readonly string[]> {
    return this.server.waited()
  }

  async wake(key: string, isNext = false): Promise<boolean> {
    for (;;) {
      const place = await this.server.claim(key)
      if (place === undefined) return false
      const job = await this.#opened.getJob(place.job)
      let isWoken = job !== undefined && (await isPromoted(job))
      // A job that came back by itself and was begun does not wait any more.
      if (job !== undefined && !isWoken && job.progress !== job.attemptsStarted) {
        if (await job.isActive()) {
          // It is being put back, and looks for room then.
          await this.server.wait(key, place.job, job.timestamp)
          return true
        }
        // It may have been put back between the two questions.
        isWoken = await isPromoted(job)
      }
      // Only now, because this process may be killed or lose its server before.
      await this.server.leave(key, place)
      if (isWoken && isNext) await job?.changePriority({ priority: job.priority, lifo: true })
      if (isWoken) return true
    }
  }

  lineOf(ids: readonly string[]): Promise<string | undefined> {
    return this.server.lineOf(ids)
  }

  async advance(keys: readonly string[], most: number): Promise<void> {
    const ids = keys.length === 0 ? [] : await this.server.passing(name, keys, most)
    // The last one that is put first is delivered first.
    for (const id of ids.toReversed()) {
      const job = await this.#opened.getJob(id)
      await job?.changePriority({ priority: job.priority, lifo: true })
    }
  }

  async raise(id: string, priority: number): Promise<void> {
    const job = await this.#opened.getJob(id)
    // With the same number it would go behind the others that have it.
    if (job !== undefined && job.priority > priority) await job.changePriority({ priority })
  }

  async work(
    work: (job: DeliveredJob) => Promise<JobEnd>,
    { concurrency, lockMs, rate, onError }: JobWorkerOptions,
  ): Promise<{ close(): Promise<void> }> {
    const { DelayedError, WaitingError } = await import('bullmq')
    /** Called after BullMQ has removed the jobs with these ids. */
    const afterwards = new Map<string, () => Promise<void>>()

    const answered = async (job: RunOfJob, id: string, token: string): Promise<JobEnd> => {
      this.#inHand.set(id, job)
      try {
        return await work(deliveredOf(job, token))
      } finally {
        if (this.#inHand.get(id) === job) this.#inHand.delete(id)
      }
    }

    const processor = async (job: RunOfJob, token = ''): Promise<void> => {
      const { id = '' } = job
      const end = await answered(job, id, token)
      if (end.type === 'done') {
        if (end.left !== undefined) afterwards.set(id, end.left)
        return
      }
      if (end.type === 'again') {
        await job.moveToWait(token)
        throw new WaitingError()
      }
      await job.moveToDelayed(Date.now() + end.ms, token)
      void end.left?.().catch(onError)
      throw new DelayedError()
    }

    const worker = await this.server.worker(name, processor, {
      concurrency,
      lockDuration: lockMs,
      stalledInterval: Math.min(1_000, lockMs),
      // Lost jobs are counted where runs are worked on. Otherwise BullMQ would end the job, and the run would wait for
      // ever.
      maxStalledCount: 2 ** 31 - 1,
      runRetryDelay: 1_000,
      ...(rate !== undefined && { limiter: { max: rate.max, duration: rate.ms } }),
    })
    worker.on('error', onError)
    worker.on('completed', ({ id = '' }) => {
      const left = afterwards.get(id)
      afterwards.delete(id)
      void left?.().catch(onError)
    })
    return worker
  }

  async left(ms: number): Promise<readonly string[]> {
    const found: string[] = []
    for (let more = batch; more === batch;) {
      const ids = await this.server.left(ms, batch, true)
      found.push(...ids)
      more = ids.length
    }
    return [...found, ...(await this.server.left(ms, mostOthers, false))]
  }

  async late(expire: (id: string) => Promise<boolean>): Promise<void> {
    for (let more = batch; more === batch;) {
      const ids = await this.server.late(batch)
      const over: string[] = []
      for (const id of ids) if (await expire(id)) over.push(id)
      await this.server.forgetDeadlines(over)
      // Those that could not be cancelled now would be returned again at once.
      more = over.length
    }
  }

  async close(): Promise<void> {
    this.#stopTelling?.()
    await this.#flushAdded()
    await this.#jobs?.close()
    await this.server.close()
  }

  /**
   * Records that a job was added, so that workers need not look for it. Runs are recorded together, and one that is taken
   * meanwhile is recorded with that.
   */
  #tellAdded(run: string): void {
    this.#added.add(run)
    this.#stopTelling ??= this.clock.after(tellMs, () => void this.#flushAdded())
  }

  async #flushAdded(): Promise<void> {
    this.#stopTelling = undefined
    const runs = [...this.#added]
    this.#added.clear()
    // If it cannot be recorded, a worker finds the job.
    if (runs.length > 0) await this.server.added(runs).catch(() => {})
  }

  get #opened(): BullmqJobs {
    if (this.#jobs === undefined) throw new SkillsError('E_QUEUE', 'The queue is not open.', { hint: 'Open it first.' })
    return this.#jobs
  }
}

function deliveredOf({ id = '', data, ...job }: ActiveJob, token = ''): DeliveredJob {
  const { run, model, tenant, after, lines } = data
  const { attemptsStarted: deliveries, stalledCounter: lost, processedOn: since = 0, progress } = job
  const isBegun = progress === deliveries
  return { id, run, model, tenant, after, token, deliveries, isBegun, lost, since, lines: lines ?? undefined }
}

/** Makes a delayed job deliverable. False if it is not delayed, or was removed. */
async function isPromoted(job: StoredJob): Promise<boolean> {
  try {
    await job.promote()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && notDelayed.includes(error.code)) return false
    throw error
  }
}
