import { abortError, systemClock, type Clock, type MaybePromise } from '@skills/core'
import type { LanguageModelV3 } from '@ai-sdk/provider'

/** A model of any provider of the AI SDK, as `anthropic('…')` gives it. */
export type EvalModel = LanguageModelV3

export type ModelCall = Parameters<EvalModel['doGenerate']>[0]
export type ModelMessage = ModelCall['prompt'][number]
export type ModelContent = Awaited<ReturnType<EvalModel['doGenerate']>>['content'][number]

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

/**
 * Says before a model is asked how long its answer may be, in tokens; undefined: as long as it likes. Throws where it is
 * not to be asked.
 */
export type BeforeAsking = (call: Asked['call']) => MaybePromise<number | undefined>

/** Answers, from a model or from what is recorded. Rejects with the error of the model, or an `AbortError`. */
export type AskModel = (asked: Asked, signal: AbortSignal, before?: BeforeAsking) => Promise<ModelAnswer>

/** How often a question is asked at most. */
const attempts = 6
/** Milliseconds before the second time, twice as many before each further one, and at most. */
const [firstPauseMs, longestPauseMs] = [1_000, 120_000]

/**
 * Asks a model. What is refused for the time being is asked again after as long as the provider says (`Retry-After`), up
 * to two minutes and five times. A provider that is asked too often (429) is asked nothing meanwhile, and half as much
 * at one time from then on.
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

/** How many questions a provider has at one time. */
class Pace {
  readonly #waiting = new Set<() => void>()
  #most = Infinity
  #underWay = 0
  /** Until when nothing is asked, by the clock. */
  #until = 0

  constructor(private readonly clock: Pick<Clock, 'now' | 'after'>) {}

  /** Waits until one more may be asked. Gives what says that it was answered. Rejects with an `AbortError`. */
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

  /** Those that were asked at one time are refused at one time: that is one time. */
  slowDown(ms: number): void {
    const now = this.clock.now()
    if (this.#until <= now) this.#most = Math.max(1, Math.floor(Math.min(this.#most, this.#underWay) / 2))
    this.#until = Math.max(this.#until, now + ms)
  }
}

/** Milliseconds that the headers of a refusal say; undefined where they say none. */
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

/** Rejects with an `AbortError`. */
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
