import { SkillsError } from '@skills/core'
import type { DeliveredJob, JobEnd, JobQueue, JobTerms, JobWorkerOptions, QueuedJob } from '@skills/runs/internal'
import type { RunLogs } from '@skills/runs'
import type { BullmqServer, BullmqJobs, JobData, RunOfJob } from './bullmq-server.js'

/** Name of BullMQ's queue. */
const name = 'runs'

/** Jobs of BullMQ on a server, beside the journals. */
export class BullmqQueue implements JobQueue {
  readonly logs: RunLogs
  #jobs: BullmqJobs | undefined

  constructor(private readonly server: BullmqServer) {
    this.logs = server.logs
  }

  async open(): Promise<void> {
    await this.server.open()
    const jobs = await this.server.queue(name)
    // Requests reject separately.
    jobs.on('error', () => {})
    this.#jobs = jobs
  }

  async add({ id, ...data }: QueuedJob, { priority, delayMs }: JobTerms): Promise<void> {
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
    return (await this.#opened.getActive()).map(job => deliveredOf(job))
  }

  async wake(key: string): Promise<void> {
    for (;;) {
      const id = await this.server.nextWaiting(key)
      if (id === undefined) return
      const job = await this.#opened.getJob(id)
      // A job that came back by itself does not wait any more.
      if (job !== undefined && (await isPromoted(job))) return
    }
  }

  async work(
    work: (job: DeliveredJob) => Promise<JobEnd>,
    { concurrency, lockMs, rate, onError }: JobWorkerOptions,
  ): Promise<{ close(): Promise<void> }> {
    const { DelayedError, WaitingError } = await import('bullmq')
    /** Called after BullMQ has removed the jobs with these ids. */
    const afterwards = new Map<string, () => Promise<void>>()

    const processor = async (job: RunOfJob, token = ''): Promise<void> => {
      const end = await work(deliveredOf(job, token))
      const { id = '' } = job
      if (end.type === 'done') {
        if (end.left !== undefined) afterwards.set(id, end.left)
        return
      }
      if (end.type === 'again') {
        await job.moveToWait(token)
        throw new WaitingError()
      }
      await job.moveToDelayed(Date.now() + end.ms, token)
      if (end.waits !== undefined) await this.#wait(id, end.waits).catch(onError)
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

  left(ms: number, most: number): Promise<readonly string[]> {
    return this.server.left(ms, most)
  }

  async close(): Promise<void> {
    await this.#jobs?.close()
    await this.server.close()
  }

  /** Registers a job that BullMQ delays already, so that whoever looks finds it delayed. */
  async #wait(
    id: string,
    { key, isFull }: { readonly key: string; readonly isFull: () => Promise<boolean> },
  ): Promise<void> {
    await this.server.wait(key, id)
    // The run that it waits for may have ended before it was registered.
    if (!(await isFull())) await this.wake(key)
  }

  get #opened(): BullmqJobs {
    if (this.#jobs === undefined) throw new SkillsError('E_QUEUE', 'The queue is not open.', { hint: 'Open it first.' })
    return this.#jobs
  }
}

function deliveredOf({ id = '', data, ...job }: RunOfJob, token = job.token ?? ''): DeliveredJob {
  const { run, model, tenant, after }: JobData = data
  const { attemptsStarted: deliveries, stalledCounter: lost, processedOn: since = 0 } = job
  return { id, run, model, tenant, after, token, deliveries, lost, since }
}

/** Makes a delayed job deliverable. False if it is not delayed. */
async function isPromoted(job: { promote(): Promise<void> }): Promise<boolean> {
  try {
    await job.promote()
    return true
  } catch {
    // Workers look at the job again after its delay, also if the server could not be reached.
    return false
  }
}
