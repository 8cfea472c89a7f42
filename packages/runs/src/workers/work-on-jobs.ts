import * as s from '@skills/core/schema'
import { isAbortError, messageOf, SkillsError, type CatalogEntry, type Skills } from '@skills/core'
import { isEnded, type RunRecord } from '../run.js'
import { LimitedRuns } from './limited-runs.js'
import { begun, leftBehind, type WorkerEvent } from './worker-event.js'
import { WorkerHealth, type HealthPlaces } from './worker-health.js'
import { WorkerRuns } from './worker-runs.js'
import { workOnRun, type ResumeOptions } from '../resume-runs.js'
import type { DeliveredJob, JobEnd } from './job-queue.js'

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
  /** Places where a supervisor reads whether the worker is live and ready. */
  health: s.typed<HealthPlaces>('an object with port or file').default({}),
  /** Called with each step, for a log. */
  onEvent: s.fn<(event: WorkerEvent) => void>().default(() => {}),
  /** Called with errors after which it tries again. */
  onError: s.fn<(error: Error) => void>().default(() => {}),
})

export interface WorkerOptions extends s.OptionsOf<typeof workerOptions> {}

export interface RunsWorker {
  /** Address of its health, such as `http://127.0.0.1:8080`. Undefined if no port was given. */
  readonly healthUrl: string | undefined
  /** Takes no more runs, waits for the current ones, releases those that do not end in time, and closes the engine. */
  close(): Promise<void>
}

/** Lost workers after which a run fails. */
const mostLost = 10
/** Errors for which a run is skipped, without affecting others. */
const unreadable: ReadonlySet<string> = new Set(['E_RUN_UNKNOWN', 'E_RUN_JOURNAL', 'E_RUN_UNSIGNED'])
/** Milliseconds between two looks at the runs that wait for a limit. */
const limitMs = 5_000
const done: JobEnd = { type: 'done' }

/**
 * Starts a worker for the runs of an engine whose provider of runs is {@link WorkerRuns}. The worker runs a skill only
 * if the engine has it with the permitted digest, and under the engine's own trust and rules. Rejects with
 * `E_INVALID_OPTION`, `E_MISSING_PROVIDER` for an engine without a queue, `E_WRITE` for a file of its health, and with
 * errors of opening the queue.
 * @param skillOfRun makes the skill of a run from the text that it brings; called only as `texts` allows
 */
export async function workOnJobs(
  skills: Skills,
  skillOfRun: (skills: Skills, run: RunRecord) => Promise<CatalogEntry | undefined>,
  given?: WorkerOptions,
): Promise<RunsWorker> {
  const options = workerOptions.read(given)
  const { concurrency, lockMs, drainMs, rate, models, tenants, onError, texts } = options
  const kept = await skills.use('runs').first(one => one)
  if (!(kept instanceof WorkerRuns))
    throw new SkillsError('E_MISSING_PROVIDER', 'The engine has no queue of runs.', {
      hint: 'Register queuedRuns({ url }) as a plugin.',
    })
  const runs: WorkerRuns = kept
  const queue = await runs.opened()
  const { clock } = skills.host
  const limited = new LimitedRuns(queue, clock, { models, tenants })
  const tracer = await skills.use('tracer').first(one => one)
  const meter = tracer?.worker?.({
    system: queue.system,
    name: runs.name,
    async ask() {
      const { jobs, since } = await queue.depth()
      const now = queue.logs.now?.() ?? clock.now()
      return { runs: jobs, oldestMs: since === undefined ? 0 : Math.max(0, now - since) }
    },
  })
  const onEvent = (event: WorkerEvent): void => {
    if (event.type === 'run-begun' || event.type === 'run-left') meter?.tell(event)
    options.onEvent(event)
  }

  const broughtBy = async (run: RunRecord): Promise<CatalogEntry | undefined> =>
    (typeof texts === 'function' ? texts(run) : texts) === true ? skillOfRun(skills, run) : undefined

  async function work(job: DeliveredJob): Promise<JobEnd> {
    try {
      return await workedOn(job)
    } catch (error) {
      onError(error instanceof Error ? error : new SkillsError('E_PROVIDER_FAILED', messageOf(error)))
      // The server cannot be reached, for example. No attempt of the run is lost.
      return { type: 'after', ms: Math.min(500 * 2 ** Math.min(job.deliveries, 10), lockMs) }
    }
  }

  async function workedOn(job: DeliveredJob): Promise<JobEnd> {
    const { run } = job
    const record = await recordOf(job)
    if (record === undefined || isEnded(record)) return done
    if (record.question !== undefined) {
      await runs.park(run)
      return done
    }
    if (!runs.mayTake(record)) return done
    if (runs.isLate(record)) {
      await runs.expire(run)
      return done
    }
    const over = await limited.overLimit(job, record)
    if (over !== undefined) return over
    if (job.lost > mostLost) {
      const held = await runs.take(run)
      const message = `${job.lost} workers ended while they worked on this run.`
      await held.end({ state: 'failed', error: { code: 'E_RUN_LOST', message } })
      return done
    }
    const begunAt = clock.now()
    onEvent(begun(record, begunAt))
    try {
      await workOnRun(skills, runs, record, { invoker: options.invoker, skill: broughtBy })
    } catch (error) {
      if (!isAbortError(error) && !skills.signal.aborted) throw error
    }
    const left = runs.inHand.leftBy(job)
    if (left !== undefined) onEvent(leftBehind(left, clock.now() - begunAt))
    const open = runs.inHand.openRunOf(job)
    if (open === undefined) return { type: 'done', left: limited.left(record) }
    if (skills.signal.aborted) return { type: 'again' }
    const { failures = 0, job: { backoffMs = 1_000 } = {} } = open
    return { type: 'after', ms: backoffMs * 2 ** Math.max(0, failures - 1) }
  }

  /** Returns the record of a run. Undefined if it does not exist or cannot be read; it is then left alone. */
  async function recordOf({ run, lines }: DeliveredJob): Promise<RunRecord | undefined> {
    try {
      return await runs.look(run, lines)
    } catch (error) {
      if (!SkillsError.is(error) || !unreadable.has(error.code)) throw error
      onError(error)
      return undefined
    }
  }

  const health = new WorkerHealth(options.health, skills.host, () => runs.atWork(), onError)
  await health.open()
  const worker = await queue
    .work(
      async job => {
        // Its lock expired while the server could not be reached, and this process still works on the run. It ends the
        // run, or learns that another worker has taken it.
        if (runs.inHand.runs().includes(job.run)) return { type: 'after', ms: 1_000 }
        const end = runs.inHand.begin(job)
        try {
          return await work(job)
        } finally {
          end()
          runs.forget(job.run)
        }
      },
      { concurrency, lockMs, rate, onError },
    )
    .catch(async (error: unknown) => {
      meter?.end()
      await health.close()
      throw error
    })
  let stopLooking = (): void => {}
  const look = async (): Promise<void> => {
    await runs.addLeft(lockMs, onError).catch(onError)
    await runs.expireLate(onError).catch(onError)
    if (!isClosing) stopLooking = clock.after(lockMs, () => void look())
  }
  let stopWaking = (): void => {}
  const wake = async (): Promise<void> => {
    await limited.wakeLeft().catch(onError)
    if (!isClosing) stopWaking = clock.after(limitMs, () => void wake())
  }
  let isClosing = false
  const stop = async (): Promise<void> => {
    const isFirst = !isClosing
    isClosing = true
    stopLooking()
    stopWaking()
    if (isFirst) {
      onEvent({ type: 'draining', runs: runs.inHand.runs(), drainMs })
      try {
        health.drain()
      } catch (error) {
        // Its file cannot be removed. Runs are given back all the same.
        onError(error as Error)
      }
    }
    await worker.close()
    meter?.end()
    await health.close()
  }
  runs.onClose(stop)
  void look()
  void wake()
  const close = async (): Promise<void> => {
    const stopWaiting = clock.after(drainMs, () => void skills.close())
    await stop()
    stopWaiting()
    await skills.close()
    onEvent({ type: 'closed' })
  }
  try {
    health.begin()
  } catch (error) {
    await close()
    throw error
  }
  return {
    get healthUrl() {
      return health.url
    },
    close,
  }
}
