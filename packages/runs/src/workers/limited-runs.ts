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
  readonly counts: (job: Pick<DeliveredJob, 'tenant' | 'model'>) => boolean
}

/** Milliseconds after which a run that waits for a limit comes back by itself, if its server lost its place in the line. */
const lostMs = 60_000
/** Milliseconds between two looks at a job that may have begun before it could see this one. */
const lookMs = 20
/** Runs that are delivered before those that would only be put into a line, at a time. */
const mostAdvanced = 8
/** Milliseconds between two looks for such runs: at least these, and ten times those that a look takes. */
const advanceMs = 100
/** Looks after which such a job counts, for example because a worker of an earlier version has it. */
const mostLooks = 5

/**
 * Limits of models and tenants. A run over a limit waits in a line of that limit, in the order of submission. The end of
 * another run of the limit wakes the first one, which then goes behind the runs that other tenants have submitted.
 */
export class LimitedRuns {
  /** Limits that may have room: how many runs are delivered in place of others, and whether more are. */
  readonly #toFill = new Map<string, { readonly limit: Limit; readonly next: number; readonly all: boolean }>()
  #filling: Promise<void> | undefined
  /** Time of the last look for runs to advance, and the milliseconds until the next one. */
  #advanced = { at: -Infinity, pauseMs: 0 }

  constructor(
    private readonly queue: JobQueue,
    private readonly clock: Clock,
    private readonly limits: RunLimits,
  ) {}

  /**
   * Returns how the job is put back if a limit is reached by other runs, or if others wait for it already; if there is
   * room, the first of those is delivered in its place. Otherwise the job is marked as begun. Jobs that have begun count,
   * and of those that check at the same time the ones that were delivered earlier. A job is active before it checks, so
   * of two at least one sees the other. If their clocks differ, the one that seems to be earlier may not have been seen,
   * and waits until the other has begun or given way.
   */
  async overLimit(job: DeliveredJob, record: RunRecord): Promise<JobEnd | undefined> {
    const limits = this.#limitsOf(record)
    if (limits.length === 0) return undefined
    // A run that was never put back goes behind those that were.
    const keys = limits.map(({ key }) => key)
    const line = job.deliveries > 1 ? undefined : await this.queue.waitBehind(keys, job.id, record.queuedAt)
    if (line !== undefined) return this.#putBack(limits, line)
    let unclear: ReadonlySet<string> | undefined
    for (let look = 1; ; look++) {
      const others = (await this.queue.active()).filter(({ id }) => id !== job.id)
      const isBefore = (other: DeliveredJob): boolean => other.isBegun || orderOf(other) < orderOf(job)
      const full = fullOf(limits, others.filter(isBefore))
      if (full !== undefined) return this.#waits(job, record, full.key)
      unclear ??= new Set(others.filter(other => !isBefore(other)).map(({ id }) => id))
      const most = fullOf(
        limits,
        others.filter(other => isBefore(other) || unclear?.has(other.id) === true),
      )
      if (most === undefined) break
      if (look === mostLooks) return this.#waits(job, record, most.key)
      await new Promise<void>(resolve => this.clock.after(lookMs, resolve))
    }
    await this.queue.begun(job.id)
    return undefined
  }

  /** Returns what is called after a run has left its worker: it wakes the next run of each limit. */
  left(record: RunRecord): (() => Promise<void>) | undefined {
    const limits = this.#limitsOf(record)
    if (limits.length === 0) return undefined
    return async () => {
      for (const { key } of limits) await this.queue.wake(key)
    }
  }

  /** Wakes runs whose limits have room, because the worker that should have woken them was killed. */
  async wakeLeft(): Promise<void> {
    const keys = await this.queue.waited()
    // A worker without the limit they wait for finds out whether there still is one.
    await this.#fill(keys.map(key => this.#limitOf(key) ?? { key, most: Infinity, counts: () => false }))
  }

  async #waits({ id }: DeliveredJob, record: RunRecord, key: string): Promise<JobEnd> {
    await this.queue.wait(key, id, record.queuedAt)
    return this.#putBack(this.#limitsOf(record))
  }

  /**
   * Others may have given way to this job, for the same limit or another, and a run may have ended meanwhile.
   * @param line key of the line that it was put into because others waited there
   */
  #putBack(limits: readonly Limit[], line?: string): JobEnd {
    return {
      type: 'after',
      ms: lostMs,
      left: async () => {
        await this.#fill(limits, line)
        await this.#advance()
      },
    }
  }

  /**
   * Lets runs that may begin pass by those that are going to be put into a line, because putting back each of many takes
   * long.
   */
  async #advance(): Promise<void> {
    const [before, { at, pauseMs }] = [this.clock.now(), this.#advanced]
    // The time of day may have been set back.
    if (before >= at && before < at + pauseMs) return
    this.#advanced = { at: before, pauseMs: Infinity }
    try {
      await this.queue.advance?.(await this.queue.waited(), mostAdvanced)
    } finally {
      this.#advanced = { at: before, pauseMs: Math.max(advanceMs, 10 * (this.clock.now() - before)) }
    }
  }

  /** Wakes runs whose limits have room. Calls at the same time are answered together. */
  #fill(limits: readonly Limit[], line?: string): Promise<void> {
    for (const limit of limits) {
      const { next = 0, all = false } = this.#toFill.get(limit.key) ?? {}
      const isLine = limit.key === line
      this.#toFill.set(limit.key, { limit, next: next + (isLine ? 1 : 0), all: all || !isLine })
    }
    return (this.#filling ??= this.#fillAll().finally(() => {
      this.#filling = undefined
    }))
  }

  async #fillAll(): Promise<void> {
    while (this.#toFill.size > 0) {
      const limits = [...this.#toFill.values()]
      this.#toFill.clear()
      // Those that were never put back are going to be, if there is a line.
      const active = (await this.queue.active()).filter(({ isBegun, deliveries }) => isBegun || deliveries > 1)
      for (const { limit, next, all } of limits) {
        const room = limit.most - active.filter(limit.counts).length
        for (let at = 0; at < Math.min(room, all ? room : next); at++)
          if (!(await this.queue.wake(limit.key, at < next))) break
      }
    }
  }

  /** Uses the signed data of this run. Unsigned data of other jobs can only delay this one. */
  #limitsOf({ model = '', job: { tenant } = {} }: RunRecord): readonly Limit[] {
    return [tenant === undefined ? undefined : this.#ofTenant(tenant), this.#ofModel(model)].flatMap(one => one ?? [])
  }

  #ofTenant(tenant: string): Limit | undefined {
    const { tenants } = this.limits
    const most = ownOf(tenants, tenant) ?? ownOf(tenants, '*')
    return most === undefined ? undefined : { key: `tenant ${tenant}`, most, counts: job => job.tenant === tenant }
  }

  #ofModel(model: string): Limit | undefined {
    const most = ownOf(this.limits.models, model)
    return most === undefined ? undefined : { key: `model ${model}`, most, counts: job => (job.model ?? '') === model }
  }

  #limitOf(key: string): Limit | undefined {
    const [kind = '', name = ''] = /^(\S+) (.*)$/s.exec(key)?.slice(1) ?? []
    return kind === 'tenant' ? this.#ofTenant(name) : this.#ofModel(name)
  }
}

const orderOf = ({ since, id }: DeliveredJob): string => `${String(since).padStart(16, '0')} ${id}`

const fullOf = (limits: readonly Limit[], jobs: readonly DeliveredJob[]): Limit | undefined =>
  limits.find(({ most, counts }) => jobs.filter(counts).length >= most)

const ownOf = (limits: Readonly<Record<string, number>>, name: string): number | undefined =>
  Object.hasOwn(limits, name) ? limits[name] : undefined
