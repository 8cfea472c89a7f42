import { defineKind, type KindAccess, type MaybePromise } from '@skills/core'
import type { Caller } from '@skills/rules'

declare module '@skills/core' {
  interface ProviderKinds {
    tracer: Tracer
  }
}

/** Kind of traced work: the invocation of a skill, the run of an agent, an answer of a model, or a call of a tool. */
export type TracedOperation = 'invoke_skill' | 'invoke_agent' | 'chat' | 'execute_tool'

/** Facts about traced work. Some are known only when it ends. */
export interface WorkFacts {
  readonly skill?: string | undefined
  readonly digest?: string | undefined
  readonly source?: string | undefined
  readonly trigger?: Caller | undefined
  readonly agentId?: string | undefined
  readonly agentType?: string | undefined
  /** Id of the conversation. */
  readonly session?: string | undefined
  readonly model?: string | undefined
  readonly provider?: string | undefined
  readonly tool?: string | undefined
  readonly toolUseId?: string | undefined
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  readonly finishReason?: string | undefined
  /** End of a fork. `left`: it resumes later, maybe in another process, which is not a failure. */
  readonly state?: 'done' | 'failed' | 'cancelled' | 'left' | undefined
  /** Input and output: texts of people, models and files. A tracer saves them only if it is asked to. */
  readonly input?: unknown
  readonly output?: unknown
}

/** Context that connects the parts of a trace across processes, such as a `traceparent`. A run records its context. */
export type TraceCarrier = Readonly<Record<string, string>>

/** Queue of runs that a worker works on, as metrics describe it. */
export interface MeasuredQueue {
  /** Name of the queue's software, such as `bullmq`. */
  readonly system: string
  /** Name of the queue on its server. */
  readonly name: string
  /**
   * Asks the server for the number of runs by the states of their jobs (`waiting`, `delayed`, `active`), and for the
   * milliseconds since the run that is delivered next was queued. Rejects if the server cannot be reached.
   */
  ask(): Promise<{ readonly runs: Readonly<Record<string, number>>; readonly oldestMs: number }>
}

/** Run that a worker began, or left in a state. */
export type MeasuredRun =
  | {
      readonly type: 'run-begun'
      readonly skill: string
      readonly model?: string | undefined
      /** Number of times that the run was taken before. */
      readonly takenBefore: number
      /** Milliseconds since the run was submitted. */
      readonly waitedMs: number
    }
  | {
      readonly type: 'run-left'
      readonly skill: string
      readonly model?: string | undefined
      /** `queued` if the run is tried again, `waiting` or `indeterminate` if it asks a person. */
      readonly state: string
      /** Milliseconds since this worker began the run. */
      readonly ms: number
      /** Code or message of the error with which it failed. */
      readonly error?: string | undefined
    }

/**
 * Traces work: its kind, its duration and the work that it is part of. A host registers one provider of the kind
 * `tracer`. The methods must not throw errors of their own.
 */
export interface Tracer {
  /** Runs work, and returns or throws what the work does. */
  trace<T>(
    operation: TracedOperation,
    name: string,
    facts: WorkFacts,
    work: (tell: (more: WorkFacts) => void) => Promise<T>,
  ): Promise<T>
  /** Runs work as part of a trace that another process began. */
  within<T>(carrier: TraceCarrier, work: () => Promise<T>): Promise<T>
  /** Returns the context from which another process continues the trace; undefined if nothing is traced. */
  carrier(): TraceCarrier | undefined
  /** Measures a worker until `end` is called. Without this method, workers are not measured. */
  worker?(queue: MeasuredQueue): { tell(run: MeasuredRun): void; end(): void }
}

/** Kind of the tracer. If its set-up fails, work is carried out without tracing. */
export const tracerKind = defineKind('tracer', { arity: 'one', limitMs: 10_000, onFailure: 'isolate' })

/**
 * Runs work, traced if the engine has a tracer.
 * @param facts called only if there is a tracer
 */
export async function traced<T>(
  tracers: KindAccess<Tracer>,
  operation: TracedOperation,
  name: string,
  facts: () => MaybePromise<WorkFacts>,
  work: (tell: (more: WorkFacts) => void) => Promise<T>,
): Promise<T> {
  const tracer = tracers.ids.length === 0 ? undefined : await tracers.first(one => one)
  return tracer === undefined ? work(() => {}) : tracer.trace(operation, name, await facts(), work)
}
