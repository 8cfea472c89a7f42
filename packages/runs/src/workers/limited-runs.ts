import type { Clock } from '@skills/core'
import type { DeliveredJob, JobEnd, JobQueue } from './job-queue.js'
import type { RunRecord } from '../run.js'

/** Most runs at the same time over all workers, by the names of models and tenants. `*` is each other tenant. */
export interface RunLimits {
  readonly models: Readonly<Record<string, number>>
  readonly tenants: Readonly<Record<string, number>>
}

interface Limit {
  /** Key of the runs that the limit counts. */
  readonly key: string
  readonly most: number
  readonly counts: (job: DeliveredJob) => boolean
}

/** Milliseconds after which a run that waits for a limit is looked at again, even if no other run has woken it. */
const lookMs = 30_000

/**
 * Limits of models and tenants. A run over a limit is put back, and the end of another run of the same limit wakes the
 * one that has waited longest. A run also comes back by itself, for the case that the worker that should have woken it
 * was killed.
 */
export class LimitedRuns {
  constructor(
    private readonly queue: JobQueue,
    private readonly clock: Pick<Clock, 'after'>,
    private readonly limits: RunLimits,
  ) {}

  /**
   * Returns how the job is put back if a limit is reached by other runs. A job is active before it checks, so of two
   * that begin at the same time at least one sees the other, even if their clocks differ. The first of them continues
   * after the other has given way.
   */
  async overLimit(job: DeliveredJob, record: RunRecord): Promise<JobEnd | undefined> {
    const limits = this.#limitsOf(record)
    if (limits.length === 0) return undefined
    for (let look = 0; look < 5; look++) {
      if (look > 0) await new Promise<void>(resolve => this.clock.after(20, resolve))
      const others = (await this.queue.active()).filter(({ id }) => id !== job.id)
      if (fullOf(limits, others) === undefined) return undefined
      const full = fullOf(
        limits,
        others.filter(other => orderOf(other) < orderOf(job)),
      )
      if (full !== undefined) return this.#waits(full)
    }
    const [limit] = limits
    return limit && this.#waits(limit)
  }

  /** Returns what is called after a run has left its worker: it wakes the next run of each limit. */
  left(record: RunRecord): (() => Promise<void>) | undefined {
    const limits = this.#limitsOf(record)
    if (limits.length === 0) return undefined
    return async () => {
      for (const { key } of limits) await this.queue.wake(key)
    }
  }

  #waits(limit: Limit): JobEnd {
    const isFull = async (): Promise<boolean> => fullOf([limit], await this.queue.active()) !== undefined
    return { type: 'after', ms: lookMs, waits: { key: limit.key, isFull } }
  }

  /** Uses the signed data of this run. Unsigned data of other jobs can only delay this one. */
  #limitsOf({ model = '', job: { tenant } = {} }: RunRecord): readonly Limit[] {
    const { models, tenants } = this.limits
    const ofTenant = tenant === undefined ? undefined : (ownOf(tenants, tenant) ?? ownOf(tenants, '*'))
    const ofModel = ownOf(models, model)
    return [
      ...(ofTenant === undefined
        ? []
        : [{ key: `tenant ${tenant}`, most: ofTenant, counts: (job: DeliveredJob) => job.tenant === tenant }]),
      ...(ofModel === undefined
        ? []
        : [{ key: `model ${model}`, most: ofModel, counts: (job: DeliveredJob) => (job.model ?? '') === model }]),
    ]
  }
}

const orderOf = ({ since, id }: DeliveredJob): string => `${String(since).padStart(16, '0')} ${id}`

const fullOf = (limits: readonly Limit[], jobs: readonly DeliveredJob[]): Limit | undefined =>
  limits.find(({ most, counts }) => jobs.filter(counts).length >= most)

const ownOf = (limits: Readonly<Record<string, number>>, name: string): number | undefined =>
  Object.hasOwn(limits, name) ? limits[name] : undefined
