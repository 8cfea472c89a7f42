import { abortError, systemClock, type Clock, type MaybePromise } from '@skills/core'
import type { LanguageModelV3 } from '@ai-sdk/provider'

/** Model of any provider of the AI SDK, such as the result of `anthropic('…')`. */
export type EvalModel = LanguageModelV3

export type ModelCall = Parameters<EvalModel['doGenerate']>[0]
export type ModelMessage = ModelCall['prompt'][number]
export type ModelContent = Awaited<ReturnType<EvalModel['doGenerate']>>['content'][number]

/** Recorded part of an answer. */
export interface ModelAnswer {
  readonly content: readonly ModelContent[]
  readonly finish: string
  readonly inputTokens: number
  readonly outputTokens: number
  /** True if the answer comes from a recording. */
  readonly isRecorded?: boolean | undefined
}

/** One request to a model, with its position in an evaluation. */
export interface Asked {
  readonly skill: string
  readonly id: string
  /** Number of the trial among those of the query, from 0. */
  readonly trial: number
  /** Number of the answer in the trial, from 0. */
  readonly step: number
  readonly call: Pick<ModelCall, 'prompt' | 'tools'>
}

/**
 * Function that is called before a request. It returns the most tokens that the answer may have, or undefined for no
 * limit. It throws to prevent the request.
 */
export type BeforeAsking = (call: Asked['call']) => MaybePromise<number | undefined>

/** Returns an answer of a model or a recording. Rejects with the error of the model, or an `AbortError`. */
export type AskModel = (asked: Asked, signal: AbortSignal, before?: BeforeAsking) => Promise<ModelAnswer>

/** Most attempts for a request. */
const attempts = 6
/** Milliseconds before the second attempt, doubled for each further one, and the longest pause. */
const [firstPauseMs, longestPauseMs] = [1_000, 120_000]

/**
 * Makes the function that asks a model. A temporarily refused request is repeated after the time in the provider's
 * `Retry-After`, at most two minutes, and at most five times. After a refusal for too many requests (429), no request
 * is sent during that time, and half as many requests run at once afterwards.
 */
export function asking(model: EvalModel, clock: Pick<Clock, 'now' | 'after'> = systemClock): AskModel {
  const pace = new Pace(clock)
  return async ({ call }, abortSignal, before) => {
    const maxOutputTokens = await before?.(call)
    const given = { ...call, ...(maxOutputTokens !== undefined && { maxOutputTokens }), abortSignal }
    for (let attempt = 1; ; attempt++) {
      const end = await pace.begin(abortSignal)
      try {
        const { content, finishReason, usage } = await model.doGenerate(given)
        return {
          content,
          finish: finishReason.unified,
          inputTokens: usage.inputTokens.total ?? 0,
          outputTokens: usage.outputTokens.total ?? 0,
        }
      } catch (error) {
        const isPassing = error instanceof Error && 'isRetryable' in error && error.isRetryable === true
        const pauseMs = toldPauseMs(error, clock.now()) ?? Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs)
        if (abortSignal.aborted || attempt === attempts || !isPassing || pauseMs > longestPauseMs) throw error
        if ('statusCode' in error && error.statusCode === 429) pace.slowDown(pauseMs)
        else await paused(clock, pauseMs, abortSignal)
      } finally {
        end()
      }
    }
  }
}

/** Limits how many requests a provider gets at the same time. */
class Pace {
  readonly #waiting = new Set<() => void>()
  #most = Infinity
  #underWay = 0
  /** Time on the clock before which no request is sent. */
  #until = 0

  constructor(private readonly clock: Pick<Clock, 'now' | 'after'>) {}

  /** Waits until a request may be sent. Returns a function to call after its answer. Rejects with an `AbortError`. */
  async begin(signal: AbortSignal): Promise<() => void> {
    for (;;) {
      if (signal.aborted) throw abortError(signal)
      const leftMs = this.#until - this.clock.now()
      if (leftMs > 0) await paused(this.clock, leftMs, signal)
      else if (this.#underWay < this.#most) break
      else
        await new Promise<void>(resolve => {
          this.#waiting.add(resolve)
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
    }
    this.#underWay += 1
    return () => {
      this.#underWay -= 1
      const waiting = [...this.#waiting]
      this.#waiting.clear()
      for (const wake of waiting) wake()
    }
  }

  /** Halves the limit and pauses for `ms`. Several refusals during one pause count as one. */
  slowDown(ms: number): void {
    const now = this.clock.now()
    if (this.#until <= now) this.#most = Math.max(1, Math.floor(Math.min(this.#most, this.#underWay) / 2))
    this.#until = Math.max(this.#until, now + ms)
  }
}

/** Returns the milliseconds to wait according to the headers of a refusal, or undefined if they state none. */
function toldPauseMs(error: unknown, now: number): number | undefined {
  const headers: unknown = error instanceof Error ? Reflect.get(error, 'responseHeaders') : undefined
  if (typeof headers !== 'object' || headers === null) return undefined
  const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value).trim()]))
  const [ms = '', told = ''] = [named.get('retry-after-ms'), named.get('retry-after')]
  if (/^\d+(\.\d+)?$/.test(ms)) return Number(ms)
  if (/^\d+(\.\d+)?$/.test(told)) return Number(told) * 1000
  const at = Date.parse(told)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/** Waits for `ms` milliseconds. Rejects with an `AbortError`. */
function paused(clock: Pick<Clock, 'after'>, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      cancel()
      reject(abortError(signal))
    }
    const cancel = clock.after(ms, () => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    })
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
}
