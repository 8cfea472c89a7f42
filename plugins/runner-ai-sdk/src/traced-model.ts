import { traced, type Tracer, type WorkFacts } from '@skills/invocation'
import type { KindAccess } from '@skills/core'
import type { AiLibrary } from './ai-library.js'
import type { Part } from './bounded-stream.js'
import type { Model } from './options.js'

type Prompt = Parameters<Model['doStream']>[0]['prompt']

/**
 * Wraps a model so that each answer is traced, from the request to the last part, or until the reader of the answer
 * stops.
 */
export function tracedModel(
  ai: Pick<AiLibrary, 'wrapLanguageModel'>,
  model: Model,
  tracers: KindAccess<Tracer>,
  session?: string,
): Model {
  if (tracers.ids.length === 0) return model
  return ai.wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v3',
      wrapStream({ doStream, params: { prompt } }) {
        const { modelId, provider } = model
        const facts = (): WorkFacts => ({ model: modelId, provider, session, input: messagesOf(prompt) })
        return new Promise((resolve, reject) => {
          traced(tracers, 'chat', modelId, facts, async tell => {
            const { stream, ...rest } = await doStream()
            await new Promise<void>((ended, failed) => {
              resolve({ ...rest, stream: ReadableStream.from(heard(stream, tell, failed, ended)) })
            })
          }).catch(reject)
        })
      },
    },
  })
}

async function* heard(
  stream: ReadableStream<Part>,
  tell: (more: WorkFacts) => void,
  failed: (error: unknown) => void,
  ended: () => void,
): AsyncGenerator<Part> {
  const parts: object[] = []
  let content = ''
  try {
    for await (const part of stream) {
      if (part.type === 'text-delta') content += part.delta
      if (part.type === 'tool-call') parts.push(callOf(part))
      if (part.type === 'error') failed(part.error)
      if (part.type === 'finish') {
        const { usage, finishReason } = part
        const output = [{ role: 'assistant', parts: [{ type: 'text', content }, ...parts] }]
        const [inputTokens, outputTokens] = [usage.inputTokens.total, usage.outputTokens.total]
        tell({ inputTokens, outputTokens, finishReason: finishReason.unified, output })
      }
      yield part
    }
  } catch (error) {
    failed(error)
    throw error
  } finally {
    ended()
  }
}

/** Converts messages to the form of the GenAI conventions. */
function messagesOf(prompt: Prompt): readonly object[] {
  return prompt.map(({ role, content }) => ({
    role,
    parts:
      typeof content === 'string'
        ? [{ type: 'text', content }]
        : content.map(part => {
            if (part.type === 'text' || part.type === 'reasoning') return { type: part.type, content: part.text }
            if (part.type === 'tool-call') return callOf(part)
            if (part.type !== 'tool-result') return { type: part.type }
            return { type: 'tool_call_response', id: part.toolCallId, response: part.output }
          }),
  }))
}

function callOf(part: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown }): object {
  return { type: 'tool_call', id: part.toolCallId, name: part.toolName, arguments: part.input }
}
