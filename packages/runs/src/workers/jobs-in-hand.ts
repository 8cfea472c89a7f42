import { isEnded, type RunEnding, type RunHolder, type RunRecord } from '../run.js'
import type { DeliveredJob } from './job-queue.js'

/** Holder of a run: the job with which a process received it. */
export interface JobHolder {
  readonly job: string
  readonly token: string
}

interface JobInHand {
  readonly job: DeliveredJob
  /** State in which this process left its run, and false if it was not taken for this job. */
  left?: RunRecord
  isTaken?: boolean
}

/** Failures that may not occur in another attempt or with another worker. */
const mayPass: ReadonlySet<string> = new Set(['E_PROVIDER_FAILED', 'E_TIMEOUT', 'E_UNKNOWN_NAME', 'E_RUN_CHANGED'])

/** Jobs that this process works on, and the runs it holds by them. */
export class JobsInHand {
  readonly #hand = new Map<string, JobInHand>()
  /** Jobs by the runs that this process works on. */
  readonly #jobOf = new Map<string, string>()

  /** Marks that this process works on a job, until the returned function is called. */
  begin(job: DeliveredJob): () => void {
    this.#hand.set(job.id, { job })
    this.#jobOf.set(job.run, job.id)
    return () => {
      if (this.#hand.get(job.id)?.job.token !== job.token) return
      this.#hand.delete(job.id)
      for (const [run, other] of this.#jobOf) if (other === job.id) this.#jobOf.delete(run)
    }
  }

  /** Notes that this process has left a run. A nested run is taken again by the run around it, not by a job of its own. */
  leave(record: RunRecord, isTaken: boolean): void {
    const hand = this.#hand.get(this.#jobOf.get(record.id) ?? '')
    if (hand?.job.run === record.id) Object.assign(hand, { left: record, isTaken })
  }

  /** Returns the ids of the runs that this process works on for jobs of their own. */
  runs(): readonly string[] {
    return [...this.#hand.values()].map(({ job }) => job.run)
  }

  /** Returns the state in which this process left the run of a job. Undefined if it has not left the run. */
  leftBy({ id }: DeliveredJob): RunRecord | undefined {
    return this.#hand.get(id)?.left
  }

  /**
   * Returns the run of a job if it has to be delivered again: this process released it, could not record how it ended,
   * or lost it before it had taken it. Undefined if it was not looked at, has ended, waits for an answer, or is held by
   * another process.
   */
  openRunOf({ id, token }: DeliveredJob): RunRecord | undefined {
    const { left, isTaken } = this.#hand.get(id) ?? {}
    if (left === undefined || isEnded(left) || left.question !== undefined) return undefined
    return isTaken === false || left.holder === undefined || jobHolderOf(left.holder)?.token === token
      ? left
      : undefined
  }

  /** Returns the holder of a run that is taken here. A nested run is held by the job of its parent. */
  holds({ id, parentId }: { readonly id: string; readonly parentId?: string | undefined }): JobHolder | undefined {
    const job = this.#jobOf.get(id) ?? this.#jobOf.get(parentId ?? '')
    const token = this.#hand.get(job ?? '')?.job.token
    if (job === undefined || token === undefined) return undefined
    this.#jobOf.set(id, job)
    return { job, token }
  }

  /** True if a holder has lost its run. A job is delivered again only after its lock has expired. */
  isGone(holder: RunHolder): boolean | undefined {
    const held = jobHolderOf(holder)
    if (held === undefined) return undefined
    const mine = this.#hand.get(held.job)
    if (mine !== undefined) return mine.job.token !== held.token
    return [...this.#hand.values()].some(({ job }) => job.after === held.token) ? true : undefined
  }

  isTriedAgain({ id, failures = 0, job: { attempts = 3 } = {} }: RunRecord, { error }: RunEnding): boolean {
    const job = this.#hand.get(this.#jobOf.get(id) ?? '')?.job
    if (job?.run !== id || !mayPass.has(error?.code ?? 'E_PROVIDER_FAILED')) return false
    return failures + 1 < attempts
  }
}

export function jobHolderOf(holder: RunHolder | undefined): JobHolder | undefined {
  const own = holder?.process
  if (typeof own !== 'object' || own === null) return undefined
  const [job, token]: unknown[] = [Reflect.get(own, 'job'), Reflect.get(own, 'token')]
  return typeof job === 'string' && typeof token === 'string' ? { job, token } : undefined
}
