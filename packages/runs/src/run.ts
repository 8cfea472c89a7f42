import type { Caller } from '@skills/rules'
import type { RunUsage, ToolLimits, TraceCarrier } from '@skills/invocation'
import type { Effort } from '@skills/core'

/** The version of what is recorded of a run; a later one is `E_RUN_JOURNAL`. */
export const runVersion = 1

/**
 * `waiting`: for a person's answer. `indeterminate`: a call that may not be repeated was under way when a process
 * ended, or the journal is damaged; a person decides.
 */
export type RunState = (typeof runStates)[number]

export const runStates = ['queued', 'running', 'waiting', 'done', 'failed', 'cancelled', 'indeterminate'] as const

/** What a run is asked for: it is recorded when the run is submitted, and does not change. */
export interface RunSpec {
  /** Also the id of the sub-agent. */
  readonly id: string
  readonly skill: {
    readonly name: string
    readonly source: string
    readonly path?: string | undefined
    /** Of the text that was permitted: a run of another one is `E_RUN_CHANGED`. */
    readonly digest: string
    /** All of its file, for workers that do not have it. It counts only where its SHA-256 is the digest. */
    readonly text?: string | undefined
  }
  readonly args: string
  readonly caller: Caller
  /** Type of the agent, as `general-purpose`. */
  readonly agent: string
  readonly model?: string | undefined
  readonly effort?: Effort | undefined
  readonly tools: ToolLimits
  readonly limits: {
    readonly maxSteps: number
    /** Milliseconds that one process may work on it; waiting does not count. */
    readonly ms: number
  }
  /** Id of the conversation that its report is for. */
  readonly session: string
  /** The run that it was made in. */
  readonly parentId?: string | undefined
  /** Of the model's tool call that it comes from. */
  readonly toolUseId?: string | undefined
  /** Forks around it, itself not included. */
  readonly depth: number
  readonly isBackground: boolean
  /** What an engine with workers is told of it. */
  readonly job?: RunJob | undefined
  /** What a process that goes on with it goes on from in the trace, as a `traceparent`. */
  readonly trace?: TraceCarrier | undefined
}

/** How a run is queued; see docs/reference/runs.md, "Workers". */
export interface RunJob {
  /** Before those with a higher number; from 0, which is the default. */
  readonly priority?: number | undefined
  /** Milliseconds before it begins at the earliest. */
  readonly delayMs?: number | undefined
  /** How often it is tried where it fails for a reason that may pass. Default: 3. */
  readonly attempts?: number | undefined
  /** Milliseconds before the second attempt; twice as many before each further one. Default: 1,000. */
  readonly backoffMs?: number | undefined
  /** Milliseconds from when it is submitted after which it is cancelled. */
  readonly deadlineMs?: number | undefined
  /** For whom it is: those of one may be limited. */
  readonly tenant?: string | undefined
}

/** What a person is asked about a run. */
export interface RunQuestion {
  readonly id: string
  /** `permission`: whether a call may be made. `repeat`: whether one that was under way is made again. */
  readonly kind: 'permission' | 'repeat'
  readonly tool: string
  readonly content: string
  /** One sentence. */
  readonly message: string
}

export type RunAnswer = 'allow' | 'deny'

/** Who works on a run. */
export interface RunHolder {
  /** For people: `build-3 (4711)`. */
  readonly name: string
  /** The process, as the engine tells processes apart. */
  readonly process?: unknown
}

/** How a run ended. */
export interface RunEnding {
  readonly state: 'done' | 'failed' | 'cancelled'
  readonly result?: string | undefined
  readonly usage?: RunUsage | undefined
  readonly error?: { readonly code?: string | undefined; readonly message: string } | undefined
}

/** What the journal says happened. `epoch`, of what only the holder writes, is that under which it was written. */
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
  /** The holder let it go, until its question is answered. */
  | { readonly type: 'parked'; readonly epoch: number }
  /** The holder let it go, and it is to be taken again. */
  | { readonly type: 'released'; readonly epoch: number; readonly reason: string }
  /** Its runner keeps no steps, so that it begins again. */
  | { readonly type: 'restarted'; readonly epoch: number }
  | ({ readonly type: 'ended'; readonly epoch: number } & RunEnding)
  | { readonly type: 'answered'; readonly question: string; readonly answer: RunAnswer }
  | { readonly type: 'cancelling'; readonly reason?: string | undefined }
  /** `isFresh`: none of its steps counts any more. */
  | { readonly type: 'retried'; readonly isFresh: boolean }
  | { readonly type: 'delivered'; readonly session: string }

/** One line of a journal. */
export type RunEntry = RunEvent & {
  /** Milliseconds since the epoch of the clock. */
  readonly at: number
}

/** What a journal comes to: one run as a JSON value. {@link runSchema} describes it. */
export interface RunRecord extends RunSpec {
  readonly version: number
  readonly state: RunState
  /** How often it was taken. A journal takes no entry of an earlier holder. */
  readonly epoch: number
  readonly holder?: RunHolder | undefined
  readonly question?: RunQuestion | undefined
  readonly isCancelling: boolean
  readonly progress: {
    /** Answers of the model. */
    readonly steps: number
    readonly calls: number
    /** The last step that began or ended, for people. */
    readonly last?: string | undefined
  }
  readonly result?: string | undefined
  readonly usage?: RunUsage | undefined
  readonly error?: RunEnding['error']
  /** The conversation that has its report. */
  readonly delivered?: string | undefined
  readonly queuedAt: number
  readonly startedAt?: number | undefined
  readonly endedAt?: number | undefined
  /** Of the journal. */
  readonly entries: number
}

export const isEnded = ({ state }: Pick<RunRecord, 'state'>): boolean =>
  state === 'done' || state === 'failed' || state === 'cancelled'
