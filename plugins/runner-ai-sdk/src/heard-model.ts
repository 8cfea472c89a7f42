import { boundedStream, type AnswerLimits, type Part } from './bounded-stream.js'
import type { AiLibrary } from './ai-library.js'
import type { Model } from './options.js'

/** Receives a warning of a provider, as text. */
export type OnWarning = (message: string) => void

/**
 * Wraps a model with three corrections to the AI SDK. Warnings, which the AI SDK would print, are passed to
 * `onWarning`. An answer whose stream ends without a finish part, as after a lost connection, becomes an error. An
 * answer that stops or does not end is aborted according to `limits`. Meant for a host whose own conversation uses the
 * AI SDK too. See docs/reference/ai-sdk.md, "The runner of the AI SDK".
 * @param ai `import * as ai from 'ai'`
 */
export function heardModel(
  ai: Pick<AiLibrary, 'wrapLanguageModel'>,
  model: Model,
  onWarning: OnWarning,
  limits: AnswerLimits = {},
): Model {
  return ai.wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v3',
      async wrapStream({ model: asked, params }) {
        const { stream, ...rest } = await boundedStream(asked, params, limits)
        let isOver = false
        const heard = stream.pipeThrough(
          new TransformStream<Part, Part>({
            transform(part, controller) {
              if (part.type === 'finish' || part.type === 'error') isOver = true
              if (part.type !== 'stream-start') return controller.enqueue(part)
              for (const warning of part.warnings) onWarning(wordsOf(warning))
              controller.enqueue({ ...part, warnings: [] })
            },
            flush(controller) {
              if (!isOver)
                controller.enqueue({ type: 'error', error: new Error('the answer was cut off before its end') })
            },
          }),
        )
        return { ...rest, stream: heard }
      },
    },
  })
}

type Warning = Awaited<ReturnType<Model['doGenerate']>>['warnings'][number]

function wordsOf(warning: Warning): string {
  if (warning.type === 'other') return warning.message
  return `${warning.feature} is ${warning.type === 'unsupported' ? 'not supported' : 'not supported as such'}${warning.details === undefined ? '' : `: ${warning.details}`}`
}
