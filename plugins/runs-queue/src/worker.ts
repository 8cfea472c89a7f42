import * as s from '@skills/core/schema'
import { isAbortError, SkillsError, type CatalogEntry, type Skills } from '@skills/core'
import { isEnded, type RunRecord } from '@skills/runs'
import { workOnRun, type ResumeOptions } from '@skills/runs/internal'
import { skillOfRun } from './run-skill.js'
import { QueuedRuns } from './queued-runs.js'
import type { JobData, RunOfJob } from './bullmq-server.js'

const workerOptions = s.options('startWorker()', {
  /** Most runs at the same time. */
  concurrency: s.number().default(4),
  /** Options of invocations here. Without `onAsk`, a question that the rules leave to a person parks the run. */
  invoker: s.typed<ResumeOptions['invoker']>('an object'),
  /**
   * Accept the text of a skill from the run if the engine does not have it with that digest: for all runs, or for those
   * for which the function returns true. Every program that writes to the queue can then instruct a model here.
   */
  texts: s.either(s.flag(), s.fn<(run: RunRecord) => boolean>()).default(false),
  /** Most runs of a model at the same time, by its name, over all workers. */
  models: s.record(s.number()).default({}),
  /** Most runs of a tenant at the same time, by its name, `*` for each other one, over all workers. */
  tenants: s.record(s.number()).default({}),
  /** Most runs (`max`) that all workers begin within `ms` milliseconds. */
  rate: s.typed<{ readonly max: number; readonly ms: number }>('an object'),
  /** Milliseconds without a sign of life after which a worker's run is given to another. */
  lockMs: s.number().default(30_000),
  /** Milliseconds in which runs may end after `close()`, before they are released. */
  drainMs: s.number().default(20_000),
  /** Called with errors after which it tries again. */
  onError: s.fn<(error: Error) => void>().default(() => {}),
})

export interface WorkerOptions extends s.OptionsOf<typeof workerOptions> {}

export interface RunsWorker {
  /** Takes no more runs, waits for the current ones, releases those that do not end in time, and closes the engine. */
  close(): Promise<void>
}

/** Lost workers after which a run fails. */
const mostLost = 10
/** Errors for which a run is skipped, without affecting others. */
const unreadable: ReadonlySet<string> = new Set(['E_RUN_UNKNOWN', 'E_RUN_JOURNAL', 'E_RUN_UNSIGNED'])

/**
 * Starts a worker for the runs of a queue, in an engine with `queuedRuns()`. The worker runs a skill only if the engine
 * has it with the permitted digest, and under the engine's own trust and rules. Rejects with `E_INVALID_OPTION`,
 * `E_MISSING_PROVIDER` for an engine without a queue, `E_QUEUE` and `E_QUEUE_VERSION`. See docs/reference/runs.md,
 * "Workers".
 */
export async function startWorker(skills: Skills, given?: WorkerOptions): Promise<RunsWorker> {
  const options = workerOptions.read(given)
  const { concurrency, lockMs, drainMs, rate, onError } = options
  const kept = await skills.use('runs').first(one => one)
  if (!(kept instanceof QueuedRuns))
    throw new SkillsError('E_MISSING_PROVIDER', 'The engine has no queue of runs.', {
      hint: 'Register queuedRuns({ url }) as a plugin.',
    })
  const runs: QueuedRuns = kept
  const { queue } = runs
  const { clock } = skills.host
  await queue.opened()
  const { DelayedError, WaitingError } = await import('bullmq')

  const { texts } = options
  const broughtBy = async (run: RunRecord): Promise<CatalogEntry | undefined> =>
    (typeof texts === 'function' ? texts(run) : texts) === true ? skillOfRun(skills, run) : undefined

  /** Works on a job. The job is done when this resolves; otherwise BullMQ delivers it again. */
  async function work(job: RunOfJob, token = ''): Promise<void> {
    const { run } = job.data
    const record = await recordOf(run)
    if (record === undefined || isEnded(record)) return
    if (record.question !== undefined) return runs.park(run)
    if (!runs.mayTake(record)) return
    if (await isOverLimit(job, record)) {
      // Longer each time, so that waiting runs of one tenant do not keep the workers busy.
      await job.moveToDelayed(Date.now() + Math.min(250 * 2 ** job.attemptsStarted, 30_000), token)
      throw new DelayedError()
    }
    if (job.stalledCounter > mostLost) {
      const held = await runs.take(run)
      const message = `${job.stalledCounter} workers ended while they worked on this run.`
      return held.end({ state: 'failed', error: { code: 'E_RUN_LOST', message } })
    }
    const stopDeadline = deadline(record)
    try {
      await workOnRun(skills, runs, record, { invoker: options.invoker, skill: broughtBy })
    } catch (error) {
      if (!isAbortError(error) && !skills.signal.aborted) throw error
    } finally {
      stopDeadline()
    }
    const reason = queue.releasedFor(job)
    if (reason === undefined) return
    if (!skills.signal.aborted) throw new Error(reason)
    await job.moveToWait(token)
    throw new WaitingError()
  }

  /** Returns the record of a run. Undefined if it does not exist or cannot be read; it is then left alone. */
  async function recordOf(id: string): Promise<RunRecord | undefined> {
    try {
      return await runs.get(id)
    } catch (error) {
      if (!SkillsError.is(error) || !unreadable.has(error.code)) throw error
      onError(error)
      return undefined
    }
  }

  function deadline({ id, queuedAt, job }: RunRecord): () => void {
    if (job?.deadlineMs === undefined) return () => {}
    return clock.after(Math.max(0, queuedAt + job.deadlineMs - clock.now()), () => {
      // It may have ended at this moment.
      void runs.cancel(id, 'The deadline of the run has passed.').catch(onError)
    })
  }

  /**
   * True if the limit is reached by other runs. A job is active before it checks, so of two that begin at the same time
   * at least one sees the other, even if their clocks differ. The first of them continues after the other has given
   * way.
   */
  async function isOverLimit(job: RunOfJob, { model = '', job: { tenant } = {} }: RunRecord): Promise<boolean> {
    const { models, tenants } = options
    // Uses the signed data of this run. Unsigned data of others can only delay this one.
    const limits: readonly (readonly [keyof JobData, string | undefined, number | undefined])[] = [
      ['model', model, ownOf(models, model)],
      ['tenant', tenant, tenant === undefined ? undefined : (ownOf(tenants, tenant) ?? tenants['*'])],
    ]
    if (limits.every(([, , limit]) => limit === undefined)) return false
    const since = ({ processedOn = 0, id = '' }: RunOfJob): string => `${String(processedOn).padStart(16, '0')} ${id}`
    const isFull = (others: readonly RunOfJob[]): boolean =>
      limits.some(([key, own, limit = Infinity]) => others.filter(o => o.data[key] === own).length >= limit)
    for (let look = 0; look < 5; look++) {
      if (look > 0) await new Promise<void>(resolve => clock.after(20, resolve))
      const others = (await (await queue.opened()).getActive()).filter(({ id }) => id !== job.id)
      if (!isFull(others)) return false
      if (isFull(others.filter(other => since(other) < since(job)))) return true
    }
    return true
  }

  const worker = await queue.server.worker(
    queue.name,
    async (job, token = '') => {
      const end = queue.begin(job, token)
      try {
        await work(job, token)
      } finally {
        end()
      }
    },
    {
      concurrency,
      lockDuration: lockMs,
      stalledInterval: Math.min(1_000, lockMs),
      // See `mostLost`. Otherwise BullMQ would end the job, and the run would wait for ever.
      maxStalledCount: 2 ** 31 - 1,
      runRetryDelay: 1_000,
      ...(rate !== undefined && { limiter: { max: rate.max, duration: rate.ms } }),
    },
  )
  worker.on('error', onError)
  let stopLooking = (): void => {}
  const look = async (): Promise<void> => {
    await queue.addLeft(lockMs, recordOf).catch(onError)
    if (!isClosing) stopLooking = clock.after(lockMs, () => void look())
  }
  let isClosing = false
  const stop = (): Promise<void> => {
    isClosing = true
    stopLooking()
    return worker.close()
  }
  queue.onClose(stop)
  void look()
  return {
    async close() {
      const stopWaiting = clock.after(drainMs, () => void skills.close())
      await stop()
      stopWaiting()
      await skills.close()
    },
  }
}

const ownOf = (limits: Readonly<Record<string, number>>, name: string): number | undefined =>
  Object.hasOwn(limits, name) ? limits[name] : undefined
