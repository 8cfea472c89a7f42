import { abortError, type Diagnostic } from '@skills/core'
import type { ModelMessage, ToolSet } from 'ai'
import { modelFailure } from './failure.js'
import { heardModel } from './heard-model.js'
import type { AiLibrary } from './ai-library.js'
import type { Model, ProviderOptions } from './options.js'

export interface Asked {
  readonly ai: AiLibrary
  readonly model: Model
  readonly system: string | undefined
  readonly messages: readonly ModelMessage[]
  /** Without an `execute`: whoever asks calls them. */
  readonly tools: ToolSet
  readonly providerOptions: ProviderOptions | undefined
  readonly maxRetries: number | undefined
  readonly maxOutputTokens: number | undefined
  readonly onText: (text: string) => void
  readonly report: (diagnostic: Diagnostic) => void
}

/** A call that the model wants to be made. */
export interface WantedCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
}

export interface Answer {
  readonly text: string
  readonly calls: readonly WantedCall[]
  /** As the conversation has them from now on; calls that do not fit their tool are answered in it already. */
  readonly messages: readonly ModelMessage[]
  /** Tokens that the model read; undefined where nobody counted. */
  readonly inputTokens: number | undefined
}

/** One answer of a model. Rejects with its error, once, or with an `AbortError`. */
export async function oneAnswer({ ai, model, system, messages, tools, providerOptions, maxRetries, maxOutputTokens, onText, report }: Asked, signal: AbortSignal): Promise<Answer> {
  const warn = (code: string, message: string): void => report({ severity: 'warning', type: 'source', code, message })
  const result = ai.streamText({
    model: heardModel(ai, model, message => warn('model-warning', `The model "${model.modelId}" of ${model.provider}: ${message}`)),
    messages: [...messages], tools, abortSignal: signal,
    ...system !== undefined && { system },
    ...providerOptions && { providerOptions },
    ...maxRetries !== undefined && { maxRetries },
    ...maxOutputTokens !== undefined && { maxOutputTokens },
    // They come in the stream as well; without this they are printed.
    onError: () => {},
  })
  let text = ''
  try {
    for await (const part of result.fullStream) {
      if (signal.aborted) break
      if (part.type === 'error') throw part.error
      if (part.type === 'text-delta') {
        text += part.text
        onText(part.text)
      }
      if (part.type === 'finish-step' && (part.finishReason === 'length' || part.finishReason === 'content-filter')) {
        warn('answer-incomplete', `An answer of "${model.modelId}" ended early: ${part.finishReason === 'length' ? 'it had no room left' : 'the provider held the rest back'}.`)
      }
    }
  } catch (error) {
    // A broken connection is thrown, where everything else comes in the stream.
    throw signal.aborted ? abortError(signal) : modelFailure(model, error)
  }
  if (signal.aborted) throw abortError(signal)
  const [{ messages: said }, toolCalls, { inputTokens }] = await Promise.all([result.response, result.toolCalls, result.usage])
  return { text, calls: toolCalls.filter(call => call.invalid !== true), messages: said, inputTokens }
}
