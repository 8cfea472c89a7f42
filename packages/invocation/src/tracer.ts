import { defineKind, type KindAccess, type MaybePromise } from '@skills/core'
import type { Caller } from '@skills/rules'

declare module '@skills/core' {
  interface ProviderKinds {
    tracer: Tracer
  }
}

/** What is traced: a skill that is invoked, an agent that works, an answer of a model, a call of a tool. */
export type TracedOperation = 'invoke_skill' | 'invoke_agent' | 'chat' | 'execute_tool'

/** What is known of traced work, some of it only when it ends. */
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
  /** What became of a fork. `left`: it goes on later, maybe in another process, which is no failure. */
  readonly state?: 'done' | 'failed' | 'cancelled' | 'left' | undefined
  /** What it was given and what it gave: texts of people, models and files, which a tracer keeps only where asked to. */
  readonly input?: unknown
  readonly output?: unknown
}

/** What a run that another process goes on with is recorded with, such as a `traceparent`. */
export type TraceCarrier = Readonly<Record<string, string>>

/**
 * Hears what is done, for how long and within what. A host registers one provider of the kind `tracer`; without one
 * nothing is asked. Its methods must not throw errors of their own.
 */
export interface Tracer {
  /** Does the work, and gives or throws what it does. */
  trace<T>(
    operation: TracedOperation,
    name: string,
    facts: WorkFacts,
    work: (tell: (more: WorkFacts) => void) => Promise<T>,
  ): Promise<T>
  /** Does work as a part of what another process began. */
  within<T>(carrier: TraceCarrier, work: () => Promise<T>): Promise<T>
  /** What another process is to go on from; undefined where nothing is traced. */
  carrier(): TraceCarrier | undefined
}

/** One that cannot be set up costs its traces alone. */
export const tracerKind = defineKind('tracer', { arity: 'one', limitMs: 10_000, onFailure: 'isolate' })

/**
 * Does work, traced in an engine that has a tracer.
 * @param facts asked only there
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
