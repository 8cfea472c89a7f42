import { SkillsError, systemClock, withDeadline, type Clock } from '@skills/core'
import type { Model } from './options.js'

/** Limits of an answer. */
export interface AnswerLimits {
  /**
   * Milliseconds without any part of the answer, from the request on; `Infinity` for no limit. Default 300,000, because
   * some models think for minutes in silence.
   */
  readonly idleMs?: number | undefined
  /**
   * Most UTF-16 code units of one answer, including its reasoning and calls; `Infinity` for no limit. Default
   * 8,000,000.
   */
  readonly maxAnswerChars?: number | undefined
  /** Default: the system's clock. */
  readonly clock?: Clock | undefined
  /** Called when an answer is cancelled, with the end of the model's work. */
  readonly onCancel?: ((ended: Promise<void>) => void) | undefined
}

type Streamed = Awaited<ReturnType<Model['doStream']>>
export type PartOf<S> = S extends ReadableStream<infer P> ? P : never
export type Part = PartOf<Streamed['stream']>

/**
 * Asks a model and reads its answer part by part, within limits. If the model is silent for too long (`E_TIMEOUT`) or
 * its answer is too long (`E_PROVIDER_FAILED`), its request is aborted and the stream ends with that error.
 */
export async function boundedStream(
  model: Model,
  params: Parameters<Model['doStream']>[0],
  { idleMs = 300_000, maxAnswerChars = 8_000_000, clock = systemClock, onCancel }: AnswerLimits,
): Promise<Streamed> {
  const { abortSignal } = params
  const own = new AbortController()
  const name = `The model "${model.modelId}" of ${model.provider}`
  const heard = async <T>(work: () => PromiseLike<T>): Promise<T> => {
    try {
      return await withDeadline(() => work(), {
        signals: [abortSignal],
        limit: { ms: idleMs, clock, what: 'The next part of an answer' },
      })
    } catch (error) {
      throw SkillsError.is(error) && error.code === 'E_TIMEOUT'
        ? new SkillsError('E_TIMEOUT', `${name} sent nothing for ${idleMs} ms.`, {
            hint: 'Try again, or give the option idleMs a higher value.',
          })
        : error
    }
  }
  // Aborts the request when the run ends or a limit is reached. The listener is removed with the answer.
  let reader: ReadableStreamDefaultReader<Part> | undefined
  const endOwn = (): void => {
    own.abort(abortSignal?.reason)
    if (reader !== undefined) onCancel?.(reader.cancel(abortSignal?.reason).catch(() => {}))
  }
  abortSignal?.addEventListener('abort', endOwn, { once: true })
  let chars = 0
  const fail = (error: unknown): unknown => {
    own.abort(error)
    abortSignal?.removeEventListener('abort', endOwn)
    return error
  }
  const { stream, ...rest } = await heard(() => model.doStream({ ...params, abortSignal: own.signal })).catch(
    (error: unknown) => {
      throw fail(error)
    },
  )
  const source = stream.getReader()
  reader = source
  return {
    ...rest,
    stream: new ReadableStream<Part>({
      async pull(controller) {
        try {
          const { done, value } = await heard(() => source.read())
          if (done) {
            abortSignal?.removeEventListener('abort', endOwn)
            return controller.close()
          }
          chars += charsOf(value)
          if (chars > maxAnswerChars)
            throw new SkillsError(
              'E_PROVIDER_FAILED',
              `${name} answered with more than ${maxAnswerChars} characters.`,
              { hint: 'If an answer may be that long, raise the option maxAnswerChars.' },
            )
          controller.enqueue(value)
        } catch (error) {
          fail(error)
          // A model that ignores the signal is cut off.
          void source.cancel(error).catch(() => {})
          if (abortSignal?.aborted === true) return controller.error(abortSignal.reason)
          controller.enqueue({ type: 'error', error })
          controller.close()
        }
      },
      cancel: async reason => {
        fail(reason)
        await source.cancel(reason)
      },
    }),
  }
}

/** Counts the characters of a part's texts: answer, reasoning, calls and files. */
function charsOf(part: Part): number {
  return Object.values(part).reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
}
