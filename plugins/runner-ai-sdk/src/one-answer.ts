import { abortError, type Diagnostic, type KindAccess } from '@skills/core'
import type { Tracer } from '@skills/invocation'
import type { ModelMessage, ToolSet } from 'ai'
import { modelFailure } from './failure.js'
import { heardModel } from './heard-model.js'
import { tracedModel } from './traced-model.js'
import { incompleteAnswer } from './incomplete-answer.js'
import { responseMessages } from './response-messages.js'
import { streamSettings, type StreamSettings } from './stream-settings.js'
import type { AnswerLimits } from './bounded-stream.js'
import type { AiLibrary } from './ai-library.js'
import type { Model } from './options.js'

export interface Asked extends StreamSettings {
  readonly ai: AiLibrary
  readonly model: Model
  readonly messages: readonly ModelMessage[]
  /** Tools without `execute`, because the caller executes them. */
  readonly tools: ToolSet
  readonly onText: (text: string) => void
  readonly report: (diagnostic: Diagnostic) => void
  readonly limits: AnswerLimits
  readonly tracers: KindAccess<Tracer>
  readonly sessionId?: string | undefined
}

/** Tool call of the model. */
export interface WantedCall {
  readonly toolCallId: string
  readonly toolName: string
  readonly input: unknown
}

export interface Answer {
  readonly text: string
  readonly calls: readonly WantedCall[]
  /** Messages for the conversation. Calls with invalid input are already answered in it. */
  readonly messages: readonly ModelMessage[]
  /** Tokens that the model read. Undefined if the provider gave no count. */
  readonly inputTokens: number | undefined
}

/** Asks a model for one answer. Rejects with the error of the model, or with an `AbortError`. */
export async function oneAnswer(
  { ai, model, messages, tools, onText, report, limits, tracers, sessionId, ...settings }: Asked,
  signal: AbortSignal,
): Promise<Answer> {
  const warned = (message: string): void =>
    report({
      severity: 'warning',
      type: 'source',
      code: 'model-warning',
      message: `The model "${model.modelId}" of ${model.provider}: ${message}`,
    })
  const result = ai.streamText({
    model: tracedModel(ai, heardModel(ai, model, warned, limits), tracers, sessionId),
    messages: [...messages],
    tools,
    abortSignal: signal,
    ...streamSettings(settings),
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
      if (part.type === 'finish-step') {
        const incomplete = incompleteAnswer(`"${model.modelId}"`, part.finishReason)
        if (incomplete !== undefined) report(incomplete)
      }
    }
  } catch (error) {
    // A lost connection is thrown; all other errors are in the stream.
    throw signal.aborted ? abortError(signal) : modelFailure(model, error)
  }
  if (signal.aborted) throw abortError(signal)
  const [said, toolCalls, { inputTokens }] = await Promise.all([
    responseMessages(result),
    result.toolCalls,
    result.usage,
  ])
  return { text, calls: toolCalls.filter(call => call.invalid !== true), messages: said, inputTokens }
}
