import type { RunRecord, RunState } from '../run.js'

/** Step of a worker, for its log. Ids and names are as the run says, so a log has to escape them. */
export type WorkerEvent =
  | {
      readonly type: 'run-begun'
      readonly run: string
      readonly skill: string
      readonly tenant?: string | undefined
      readonly model?: string | undefined
      /** Number of times that the run was taken before. */
      readonly takenBefore: number
      /** Milliseconds since the run was submitted, by this machine's clock. */
      readonly waitedMs: number
    }
  | {
      readonly type: 'run-left'
      readonly run: string
      readonly skill: string
      readonly model?: string | undefined
      /** State in which the worker left the run: `queued` if it is tried again, `waiting` if it asks a person. */
      readonly state: RunState
      readonly ms: number
      /** Code or message of the error with which it failed. */
      readonly error?: string | undefined
    }
  | {
      readonly type: 'draining'
      /** Ids of the runs that the worker still works on. */
      readonly runs: readonly string[]
      /** Milliseconds after which they are given back. */
      readonly drainMs: number
    }
  | { readonly type: 'closed' }

/** Returns the event of a run that a worker begins. */
export function begun({ id, skill, job, model, epoch, queuedAt }: RunRecord, now: number): WorkerEvent {
  return {
    type: 'run-begun',
    run: id,
    skill: skill.name,
    tenant: job?.tenant,
    model,
    takenBefore: epoch,
    waitedMs: Math.max(0, now - queuedAt),
  }
}

/** Returns the event of a run that a worker left. */
export function leftBehind({ id, skill, model, state, error }: RunRecord, ms: number): WorkerEvent {
  return { type: 'run-left', run: id, skill: skill.name, model, state, ms, error: error?.code ?? error?.message }
}
