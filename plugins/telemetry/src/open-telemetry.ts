import { isAbortError, messageOf, SkillsError } from '@skills/core'
import { attributesOf, labelsOf } from './attributes.js'
import { measureWorker } from './worker-meter.js'
import type { TraceCarrier, TracedOperation, Tracer, WorkFacts } from '@skills/invocation'
import type { MeasuredQueue } from '@skills/invocation/internal'
import type { Attributes, Counter, Histogram, MeterProvider, Span } from '@opentelemetry/api'

export type Api = typeof import('@opentelemetry/api')

const library = '@skills/telemetry'
/** Bucket boundaries of the GenAI conventions. */
const durations = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const tokens = Array.from({ length: 14 }, (_none, power) => 4 ** power)

interface Figures {
  readonly count: Readonly<Record<'invoke_skill' | 'invoke_agent' | 'execute_tool', Counter>>
  readonly duration: Readonly<Record<TracedOperation, Histogram>>
  readonly tokens: Histogram
}

/** Records spans and metrics of work for the SDK that the host has installed. */
export class OpenTelemetry implements Tracer {
  #provider: MeterProvider | undefined
  #figures: Figures | undefined

  constructor(
    private readonly api: Api,
    private readonly content: boolean,
  ) {}

  trace<T>(
    operation: TracedOperation,
    name: string,
    facts: WorkFacts,
    work: (tell: (more: WorkFacts) => void) => Promise<T>,
  ): Promise<T> {
    const { trace, context, SpanKind } = this.api
    const span = trace
      .getTracer(library)
      .startSpan(`${operation} ${name}`, {
        kind: operation === 'chat' ? SpanKind.CLIENT : SpanKind.INTERNAL,
        attributes: {
          'gen_ai.operation.name': operation,
          ...(operation === 'execute_tool' && { 'gen_ai.tool.type': 'function' }),
          ...attributesOf(operation, facts, this.content),
        },
      })
    const since = performance.now()
    let known = facts
    const tell = (more: WorkFacts): void => {
      known = { ...known, ...more }
      span.setAttributes(attributesOf(operation, more, this.content))
    }
    return context.with(trace.setSpan(context.active(), span), async () => {
      const labels: Attributes = {}
      try {
        return await work(tell)
      } catch (error) {
        // Work that continues later, or was aborted, is not a failure.
        if (known.state !== 'left') labels['error.type'] = this.#failed(span, error)
        throw error
      } finally {
        span.end()
        this.#count(operation, known, { ...labelsOf(operation, known), ...labels }, (performance.now() - since) / 1000)
      }
    })
  }

  within<T>(carrier: TraceCarrier, work: () => Promise<T>): Promise<T> {
    const { context, propagation } = this.api
    return context.with(propagation.extract(context.active(), carrier), work)
  }

  carrier(): TraceCarrier | undefined {
    const { context, propagation } = this.api
    const carrier: Record<string, string> = {}
    propagation.inject(context.active(), carrier)
    return Object.keys(carrier).length === 0 ? undefined : carrier
  }

  worker(queue: MeasuredQueue): ReturnType<typeof measureWorker> {
    return measureWorker(this.api.metrics.getMeterProvider(), library, queue)
  }

  #failed(span: Span, error: unknown): string {
    const type = SkillsError.is(error) ? error.code : error instanceof Error ? error.name : typeof error
    span.setAttribute('error.type', type)
    if (isAbortError(error)) return type
    // The message of an error may contain a prompt, an argument or a result.
    const told = this.content ? { message: messageOf(error) } : {}
    span.setStatus({ code: this.api.SpanStatusCode.ERROR, ...told })
    if (this.content && error instanceof Error) span.recordException(error)
    return type
  }

  #count(operation: TracedOperation, facts: WorkFacts, labels: Attributes, seconds: number): void {
    const { count, duration, tokens: used } = this.#meters()
    duration[operation].record(seconds, labels)
    if (operation === 'invoke_agent')
      count.invoke_agent.add(1, { ...labels, 'skills.run.state': facts.state ?? 'none' })
    else if (operation !== 'chat') count[operation].add(1, labels)
    // The tokens of an agent are counted with its answers.
    else {
      const { inputTokens, outputTokens } = facts
      if (inputTokens !== undefined) used.record(inputTokens, { ...labels, 'gen_ai.token.type': 'input' })
      if (outputTokens !== undefined) used.record(outputTokens, { ...labels, 'gen_ai.token.type': 'output' })
    }
  }

  /** Returns the instruments. They are made again after an SDK is installed, because earlier ones do not use it. */
  #meters(): Figures {
    const provider = this.api.metrics.getMeterProvider()
    if (this.#figures !== undefined && this.#provider === provider) return this.#figures
    const meter = provider.getMeter(library)
    const histogram = (name: string, unit: string, boundaries: number[]): Histogram =>
      meter.createHistogram(name, { unit, advice: { explicitBucketBoundaries: boundaries } })
    this.#provider = provider
    return (this.#figures = {
      count: {
        invoke_skill: meter.createCounter('skills.invocations', { unit: '{invocation}' }),
        invoke_agent: meter.createCounter('skills.runs', { unit: '{run}' }),
        execute_tool: meter.createCounter('skills.tool_calls', { unit: '{call}' }),
      },
      duration: {
        invoke_skill: histogram('skills.invocation.duration', 's', durations),
        invoke_agent: histogram('gen_ai.invoke_agent.duration', 's', durations),
        chat: histogram('gen_ai.client.operation.duration', 's', durations),
        execute_tool: histogram('gen_ai.execute_tool.duration', 's', durations),
      },
      tokens: histogram('gen_ai.client.token.usage', '{token}', tokens),
    })
  }
}
