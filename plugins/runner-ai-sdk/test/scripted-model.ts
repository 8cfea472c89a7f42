import type { Model } from '../src/options.js'

export type Part = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never
export type Sent = Parameters<Model['doStream']>[0]

export interface ScriptedModel extends Model {
  /** Requests that it received. */
  readonly sent: readonly Sent[]
}

/** Makes a model in this process that gives one answer after the other. A function gives its own stream. */
export function scriptedModel(
  answers: readonly (readonly Part[] | ((sent: Sent) => ReadableStream<Part>))[],
  modelId = 'scripted',
): ScriptedModel {
  const sent: Sent[] = []
  return {
    specificationVersion: 'v3',
    provider: 'test',
    modelId,
    supportedUrls: {},
    sent,
    doGenerate: () => Promise.reject(new Error('It only streams.')),
    async doStream(given) {
      const answer = answers[sent.length]
      sent.push(given)
      if (answer === undefined) throw new Error('There is no further answer.')
      return { stream: typeof answer === 'function' ? answer(given) : streamOf(answer) }
    },
  }
}

export function streamOf(parts: readonly Part[]): ReadableStream<Part> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

export const start: Part = { type: 'stream-start', warnings: [] }

export function end(
  reason: 'stop' | 'tool-calls' | 'length' | 'content-filter' = 'stop',
  tokens: { readonly input?: number; readonly output?: number } = { input: 10, output: 3 },
): Part {
  return {
    type: 'finish',
    finishReason: { unified: reason, raw: reason },
    usage: {
      inputTokens: { total: tokens.input, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: tokens.output, text: undefined, reasoning: undefined },
    },
  }
}

export function text(...deltas: readonly string[]): readonly Part[] {
  return [
    { type: 'text-start', id: '1' },
    ...deltas.map(delta => ({ type: 'text-delta', id: '1', delta }) as const),
    { type: 'text-end', id: '1' },
  ]
}

export function call(toolName: string, input: unknown, toolCallId = `call-${toolName}`): Part {
  return { type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) }
}

/** Makes a complete answer. */
export const says = (...deltas: readonly string[]): readonly Part[] => [start, ...text(...deltas), end()]

/** Makes an answer that calls tools. */
export const callsTools = (...calls: readonly Part[]): readonly Part[] => [start, ...calls, end('tool-calls')]
