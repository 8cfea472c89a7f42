import type { MaybePromise } from '@skills/core'
import type { RunEntry } from '../run.js'
import type { RunFacts } from '../run-record.js'
import type { RunLogs } from '../run-logs.js'

/** Job of a queue. It stands for one queueing of a run. */
export interface QueuedJob {
  /** Name of the job, made from the run's id and epoch. */
  readonly id: string
  /** Id of the run. */
  readonly run: string
  readonly model?: string | undefined
  readonly tenant?: string | undefined
  /** Token of the former delivery by which a process held the run. */
  readonly after?: string | undefined
}

/** Conditions under which a job is delivered. */
export interface JobTerms {
  /** Jobs with a lower number are delivered first. */
  readonly priority?: number | undefined
  /** Milliseconds before its first delivery. */
  readonly delayMs?: number | undefined
}

/** Job that a worker works on. No other worker gets it until it is answered or the worker's lock has expired. */
export interface DeliveredJob extends QueuedJob {
  /** Token of this delivery. Another delivery has another one. */
  readonly token: string
  /** Number of deliveries so far, including this one. */
  readonly deliveries: number
  /** True if `begun()` was called in this delivery. */
  readonly isBegun: boolean
  /** Number of deliveries that a worker lost, because it ended or its lock expired. */
  readonly lost: number
  /** Time of the delivery. Orders the active jobs; clocks of different workers may differ. */
  readonly since: number
  /** Lines of the run's journal when the job was delivered, if the queue returns them with the job. */
  readonly lines?: readonly string[] | undefined
}

/**
 * Answer of a worker for a delivered job. `done`: the job is removed. `again`: the job is delivered again at once.
 * `after`: it is delivered again after so many milliseconds, and earlier if it is in a line and is woken.
 */
export type JobEnd =
  | { readonly type: 'done'; readonly left?: JobLeft | undefined }
  | { readonly type: 'again' }
  | { readonly type: 'after'; readonly ms: number; readonly left?: JobLeft | undefined }

/** Called once a job is no longer active. */
type JobLeft = () => Promise<void>

export interface JobWorkerOptions {
  /** Most jobs at the same time. */
  readonly concurrency: number
  /** Milliseconds without a sign of life after which a job is given to another worker. */
  readonly lockMs: number
  /** Most jobs (`max`) that all workers of the queue begin within `ms` milliseconds. */
  readonly rate: { readonly max: number; readonly ms: number } | undefined
  readonly onError: (error: Error) => void
}

/**
 * Queue whose jobs are delivered to workers, and the journals of its runs: all that an engine with workers has to
 * implement. `WorkerRuns` and `workOnJobs()` do the rest with it: lost jobs, limits, deadlines, parking and retries.
 */
export interface JobQueue {
  readonly logs: RunLogs
  /** Name of its software, for metrics, such as `bullmq`. */
  readonly system: string
  /** Connects. Called before any other method except `logs.watch` and `close`, again after it rejected. */
  open(): Promise<void>
  /** Adds a job. If there is one of this name, which may be delivered already, nothing changes. */
  add(job: QueuedJob, terms: JobTerms): Promise<void>
  /**
   * Appends the first lines of a run's journal and adds its job: both, or nothing if the run exists; then it returns
   * false. Undefined: the lines are appended first, and the job is added after that.
   */
  readonly submit?:
    | ((
        lines: readonly string[],
        entries: readonly RunEntry[],
        job: QueuedJob,
        terms: JobTerms,
        facts: RunFacts | undefined,
      ) => Promise<boolean>)
    | undefined
  /** True if there is a job of this name, delivered or not. */
  has(id: string): Promise<boolean>
  /** Returns the jobs that workers have. */
  active(): Promise<readonly DeliveredJob[]>
  /** Returns the number of jobs by state, and the time at which the job that is delivered next was added, if there is one. */
  depth(): Promise<{
    readonly jobs: Readonly<Record<'waiting' | 'delayed' | 'active', number>>
    readonly since?: number
  }>
  /** Marks a job that this process works on as begun, for those who ask for the active jobs. */
  begun(id: string): Promise<void>
  /**
   * Puts an active job into the line of a key: `wake()` delivers it once it is no longer active.
   * @param order jobs with a lower number are woken first
   */
  wait(key: string, id: string, order: number): Promise<void>
  /** Puts an active job into the first line of these in which others wait already. Returns the key of that line. */
  waitBehind(keys: readonly string[], id: string, order: number): Promise<string | undefined>
  /**
   * Delivers the first of the jobs in the line of a key. Returns false if none waits.
   * @param isNext deliver it before the other jobs of its priority, in place of one that was put back
   */
  wake(key: string, isNext?: boolean): Promise<boolean>
  /** Returns the keys for which jobs wait. */
  waited(): Promise<readonly string[]>
  /** Returns the key of the line that one of these jobs waits in. */
  lineOf(ids: readonly string[]): Promise<string | undefined>
  /**
   * Delivers some jobs that no line of these keys would take before the jobs that one would take. Undefined: jobs are
   * delivered in their order only.
   * @param keys as `tenant NAME` and `model NAME`
   * @param most most jobs, the first ones
   */
  advance?(keys: readonly string[], most: number): Promise<void>
  /**
   * Delivers a job that waits as if it had this priority, if its own number is higher. Undefined: the queue has no
   * priorities.
   */
  raise?(id: string, priority: number): Promise<void>
  /**
   * Delivers jobs to this process until the returned object is closed, which waits for the current ones. A job for
   * which `work` rejects is delivered again.
   */
  work(work: (job: DeliveredJob) => Promise<JobEnd>, options: JobWorkerOptions): Promise<{ close(): Promise<void> }>
  /**
   * Returns ids of runs that have to be executed and were not queued or taken for this many milliseconds: first all for
   * which no job was added, then some of the others, oldest first. Each is returned again only after the same time.
   */
  left(ms: number): MaybePromise<readonly string[]>
  /**
   * Calls `expire` with runs whose deadline has passed and that have not ended. If it returns true, the run is not
   * returned again.
   */
  late?(expire: (id: string) => Promise<boolean>): Promise<void>
  close(): Promise<void>
}
