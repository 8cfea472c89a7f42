import type { Caller } from '@skills/rules'
import type { RunUsage, ToolLimits, TraceCarrier } from '@skills/invocation'
import type { Effort } from '@skills/core'

/** Version of the recorded format. Reading a journal of a later version is `E_RUN_JOURNAL`. */
export const runVersion = 1

/**
 * State of a run. `waiting`: the run waits for a person's answer. `indeterminate`: a call that must not be repeated was
 * in progress when a process ended, or the journal is damaged; a person decides.
 */
export type RunState = (typeof runStates)[number]

export const runStates = ['queued', 'running', 'waiting', 'done', 'failed', 'cancelled', 'indeterminate'] as const

/** Request for a run. It is recorded when the run is submitted, and never changes. */
export interface RunSpec {
  /** Id of the run and of its sub-agent. */
  readonly id: string
  readonly skill: {
    readonly name: string
    readonly source: string
    readonly path?: string | undefined
    /** Digest of the text that was permitted. A run with another text gives `E_RUN_CHANGED`. */
    readonly digest: string
    /** Content of its file, for workers without the file. Used only if its SHA-256 is the digest. */
    readonly text?: string | undefined
  }
  readonly args: string
  readonly caller: Caller
  /** Type of the agent, such as `general-purpose`. */
  readonly agent: string
  readonly model?: string | undefined
  readonly effort?: Effort | undefined
  readonly tools: ToolLimits
  readonly limits: {
    readonly maxSteps: number
    /** Milliseconds that one process may work on it. Waiting does not count. */
    readonly ms: number
  }
  /** Id of the conversation that gets its report. */
  readonly session: string
  /** Id of the run in which it was made. */
  readonly parentId?: string | undefined
  /** Id of the model's tool call that started it. */
  readonly toolUseId?: string | undefined
  /** Number of forks around it, not counting itself. */
  readonly depth: number
  readonly isBackground: boolean
  /** Options for an engine with workers. */
  readonly job?: RunJob | undefined
  /** Trace context, as a `traceparent`, for a process that continues the run. */
  readonly trace?: TraceCarrier | undefined
}

/** Options for queueing a run; see docs/reference/runs.md, "Workers". */
export interface RunJob {
  /** Runs with a lower number are executed first. From 0, the default. */
  readonly priority?: number | undefined
  /** Milliseconds before it may begin. */
  readonly delayMs?: number | undefined
  /** Most attempts if it fails for a temporary reason. Default: 3. */
  readonly attempts?: number | undefined
  /** Milliseconds before the second attempt, doubled for each further one. Default: 1,000. */
  readonly backoffMs?: number | undefined
  /** Milliseconds after submission at which it is cancelled. */
  readonly deadlineMs?: number | undefined
  /** Tenant for whom it runs. The number of runs of a tenant can be limited. */
  readonly tenant?: string | undefined
}

/** Question to a person about a run. */
export interface RunQuestion {
  readonly id: string
  /** `permission`: whether a call may be made. `repeat`: whether a call that was in progress is made again. */
  readonly kind: 'permission' | 'repeat'
  readonly tool: string
  readonly content: string
  /** One sentence. */
  readonly message: string
}

export type RunAnswer = 'allow' | 'deny'

/** Process that works on a run. */
export interface RunHolder {
  /** Name for people, such as `build-3 (4711)`. */
  readonly name: string
  /** Identity of the process, in the engine's own form. */
  readonly process?: unknown
}

/** End of a run. */
export interface RunEnding {
  readonly state: 'done' | 'failed' | 'cancelled'
  readonly result?: string | undefined
  readonly usage?: RunUsage | undefined
  readonly error?: { readonly code?: string | undefined; readonly message: string } | undefined
}

/** Event in a journal. Events that only the holder writes have an `epoch`: that of the holder who wrote the event. */
export type RunEvent =
  | { readonly type: 'queued'; readonly version: number; readonly spec: RunSpec }
  | { readonly type: 'taken'; readonly epoch: number; readonly holder: RunHolder }
  | {
      readonly type: 'begun'
      readonly epoch: number
      readonly key: string
      readonly kind: 'model' | 'tool' | 'own'
      readonly digest: string
      readonly idempotent: boolean
      readonly title?: string | undefined
    }
  | {
      readonly type: 'finished'
      readonly epoch: number
      readonly key: string
      readonly kind: 'model' | 'tool' | 'own'
      readonly digest: string
      readonly value?: unknown
    }
  | { readonly type: 'asked'; readonly epoch: number; readonly question: RunQuestion }
  /** The holder released the run until its question is answered. */
  | { readonly type: 'parked'; readonly epoch: number }
  /** The holder released the run to be taken again. `isFailure`: it failed, and another attempt is made. */
  | { readonly type: 'released'; readonly epoch: number; readonly reason: string; readonly isFailure?: boolean }
  /** The runner records no steps, so the run begins again. */
  | { readonly type: 'restarted'; readonly epoch: number }
  | ({ readonly type: 'ended'; readonly epoch: number } & RunEnding)
  | { readonly type: 'answered'; readonly question: string; readonly answer: RunAnswer }
  | { readonly type: 'cancelling'; readonly reason?: string | undefined }
  /** `isFresh`: the steps so far are ignored. */
  | { readonly type: 'retried'; readonly isFresh: boolean }
  | { readonly type: 'delivered'; readonly session: string }

/** One line of a journal. */
export type RunEntry = RunEvent & {
  /** Milliseconds since the epoch of the clock. */
  readonly at: number
}

/** One run as a JSON value, computed from its journal. {@link runSchema} describes it. */
export interface RunRecord extends RunSpec {
  readonly version: number
  readonly state: RunState
  /** Number of times it was taken. Entries of an earlier holder are not accepted. */
  readonly epoch: number
  readonly holder?: RunHolder | undefined
  readonly question?: RunQuestion | undefined
  readonly isCancelling: boolean
  readonly progress: {
    /** Number of answers of the model. */
    readonly steps: number
    readonly calls: number
    /** Last step that began or ended, for people. */
    readonly last?: string | undefined
  }
  readonly result?: string | undefined
  readonly usage?: RunUsage | undefined
  readonly error?: RunEnding['error']
  /** Number of attempts that failed, after each of which it was queued again. */
  readonly failures?: number | undefined
  /** Id of the conversation that has its report. */
  readonly delivered?: string | undefined
  readonly queuedAt: number
  readonly startedAt?: number | undefined
  readonly endedAt?: number | undefined
  /** Number of entries of the journal. */
  readonly entries: number
}

/** Time of the shared clock at which a run is cancelled. Undefined if it has no deadline. */
export const deadlineOf = ({ queuedAt, job }: Pick<RunRecord, 'queuedAt' | 'job'>): number | undefined =>
  job?.deadlineMs === undefined ? undefined : queuedAt + job.deadlineMs

export const pastDeadline = 'The deadline of the run has passed.'

export const isEnded = ({ state }: Pick<RunRecord, 'state'>): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled'
