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
