import type { LanguageModelV3 } from '@ai-sdk/provider'

/** A model of any provider of the AI SDK, as `anthropic('…')` gives it. */
export type Model = LanguageModelV3

export type ModelCall = Parameters<Model['doGenerate']>[0]
export type ModelMessage = ModelCall['prompt'][number]
export type ModelContent = Awaited<ReturnType<Model['doGenerate']>>['content'][number]

/** What is kept of an answer. */
export interface ModelAnswer {
  readonly content: readonly ModelContent[]
  readonly finish: string
  readonly inputTokens: number
  readonly outputTokens: number
  /** That no model was asked for it. */
  readonly isRecorded?: boolean | undefined
}

/** One question to a model, and which one it is among those of an evaluation. */
export interface Asked {
  readonly skill: string
  readonly id: string
  /** From 0, among those of the query. */
  readonly trial: number
  /** From 0, among the answers of the trial. */
  readonly step: number
  readonly call: Pick<ModelCall, 'prompt' | 'tools'>
}

/** Answers, from a model or from what is recorded. Rejects with the error of the model, or an `AbortError`. */
export type AskModel = (asked: Asked, signal: AbortSignal) => Promise<ModelAnswer>

/** Asks a model; what is refused for the time being is asked again, twice. */
export function asking(model: Model): AskModel {
  return async ({ call }, abortSignal) => {
    for (let attempt = 0; ; attempt++) {
      try {
        const { content, finishReason, usage } = await model.doGenerate({ ...call, abortSignal })
        return {
          content,
          finish: finishReason.unified,
          inputTokens: usage.inputTokens.total ?? 0,
          outputTokens: usage.outputTokens.total ?? 0,
        }
      } catch (error) {
        const isPassing = error instanceof Error && 'isRetryable' in error && error.isRetryable === true
        if (abortSignal.aborted || attempt === 2 || !isPassing) throw error
      }
    }
  }
}
