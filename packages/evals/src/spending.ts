import * as s from '@skills/core/schema'
import { SkillsError } from '@skills/core'
import type { EvalCases } from './cases/eval-cases.js'
import type { AskModel, Asked } from './model.js'

/** Price in dollars for a million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
}

export interface Progress {
  /** Number of trials. */
  readonly done: number
  readonly total: number
  /** Dollars so far, or undefined without a price. */
  readonly cost: number | undefined
}

export const spendingOptions = s.options('new Spending()', {
  /** Function that asks the model: `asking(model)`, or `recordings.over(asking(model))`. */
  ask: s.fn<AskModel>().required(),
  /** Number of trials at the same time. */
  concurrency: s.count().default(4),
  /** Default: the cost is unknown. */
  price: s.typed<Price>('a price'),
  /**
   * Most dollars to spend; needs `price`. The possible cost of a request is reserved before it is sent, and what is
   * left limits the length of the answer. A trial that the rest is too small for counts as not begun. Default: no
   * limit.
   */
  maxCost: s.number(),
  /** Called after each trial. */
  onProgress: s.fn<(progress: Progress) => void>(),
})

export interface SpendingOptions extends s.OptionsOf<typeof spendingOptions> {}

/** Tokens and dollars that the trials of an evaluation took. */
export interface Spent {
  /** Tokens of requests that were sent. Recorded answers do not count. */
  readonly inputTokens: number
  readonly outputTokens: number
  /** Dollars, or undefined without a price. */
  readonly cost: number | undefined
  /** Number of trials that were not begun because of `maxCost`. */
  readonly left: number
}

export const trialsOptions = s.options('trials', {
  ...spendingOptions.shape,
  /** Cases by name of the skill. */
  cases: s.typed<ReadonlyMap<string, EvalCases>>('cases by the name of their skill').required(),
  /** Trials of each query; for a task, trials with the skill and as many without it. */
  trials: s.count().default(3),
  /** Most answers of the model in a trial. Default: 12; for a task 40. */
  maxSteps: s.count(),
  /** Longest time of a trial in milliseconds. Default: 300,000; for a task 600,000. */
  timeoutMs: s.count(),
  contextWindow: s.number(),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
})

/** Options of every evaluation that runs trials. */
export interface TrialsOptions extends s.OptionsOf<typeof trialsOptions> {}

/**
 * Counts the cost of evaluations. If several evaluations get the same instance, `maxCost` applies to all of them
 * together.
 */
export class Spending {
  /** Dollars reserved for pending requests. */
  #reserved = 0
  /** Number of pending requests. Needed because sums of fractions do not return to exactly 0. */
  #held = 0
  #wake = (): void => {}
  #released = this.#nextRelease()
  /** Tokens for each byte of a request. */
  #perByte = firstPerByte
  #isMeasured = false
  inputTokens = 0
  outputTokens = 0

  /** @throws SkillsError `E_INVALID_OPTION` for a `maxCost` without a `price` */
  constructor(private readonly options: SpendingOptions) {
    if (options.maxCost !== undefined && options.price === undefined)
      throw new SkillsError('E_INVALID_OPTION', 'The option maxCost needs a price.', {
        hint: 'Give price: { input, output }, dollars for a million tokens.',
      })
  }

  #nextRelease(): Promise<void> {
    return new Promise(resolve => {
      this.#wake = () => {
        this.#released = this.#nextRelease()
        resolve()
      }
    })
  }

  /** Dollars so far, or undefined without a price. */
  get cost(): number | undefined {
    const { price } = this.options
    return price && (this.inputTokens * price.input + this.outputTokens * price.output) / 1e6
  }

  /** Returns what trials spent. @param ends results of the trials, undefined for each that was not begun */
  of(ends: readonly unknown[]): Spent {
    const { inputTokens, outputTokens, cost } = this
    return { inputTokens, outputTokens, cost, left: ends.filter(end => end === undefined).length }
  }

  /**
   * Asks the model and counts its tokens, unless the answer is recorded. Rejects if the cost may exceed what is left.
   */
  readonly ask: AskModel = async (asked, signal) => {
    let set = { bytes: 0, cost: 0 }
    try {
      const answer = await this.options.ask(asked, signal, async call => {
        const { tokens, ...held } = await this.#setAside(call)
        set = held
        return tokens
      })
      if (answer.isRecorded === true) return answer
      this.inputTokens += answer.inputTokens
      this.outputTokens += answer.outputTokens
      if (set.bytes > 0) {
        const known = this.#isMeasured ? this.#perByte : 0
        this.#perByte = Math.max(known, answer.inputTokens / set.bytes)
        this.#isMeasured = true
      }
      return answer
    } finally {
      if (set.bytes > 0) this.#held -= 1
      this.#reserved = this.#held === 0 ? 0 : this.#reserved - set.cost
      this.#wake()
    }
  }

  /**
   * Reserves the most that a request may cost, and returns how many tokens the answer may have. Waits for pending
   * requests, which mostly cost less than was reserved for them.
   */
  async #setAside(
    call: Asked['call'],
  ): Promise<{ readonly bytes: number; readonly cost: number; readonly tokens: number | undefined }> {
    const { price, maxCost } = this.options
    if (price === undefined || maxCost === undefined) return { bytes: 0, cost: 0, tokens: undefined }
    const bytes = Buffer.byteLength(JSON.stringify(call))
    for (;;) {
      const asked = (bytes * this.#perByte * margin * price.input) / 1e6
      const left = maxCost - (this.cost ?? 0) - this.#reserved - asked
      const tokens = price.output === 0 ? mostTokens : Math.min(mostTokens, Math.floor((left * 1e6) / price.output))
      if (left >= 0 && tokens >= leastTokens) {
        const cost = asked + (tokens * price.output) / 1e6
        this.#reserved += cost
        this.#held += 1
        return { bytes, tokens, cost }
      }
      if (this.#held === 0) throw new AllSpent()
      await this.#released
    }
  }

  /**
   * Runs all jobs, several at the same time. Returns the results in the order of the jobs, with undefined for a job
   * that was not begun or that the rest of the money was too little for.
   */
  async workOn<Job, Result>(
    jobs: readonly Job[],
    work: (job: Job) => Promise<Result>,
  ): Promise<readonly (Result | undefined)[]> {
    const { concurrency = 4, maxCost = Infinity, onProgress } = this.options
    const results: (Result | undefined)[] = jobs.map(() => undefined)
    const left = [...jobs.entries()]
    let [done, isSpent] = [0, false]
    const lane = async (): Promise<void> => {
      while (!isSpent && (this.cost ?? 0) < maxCost) {
        const [at, job] = left.shift() ?? []
        if (at === undefined) return
        try {
          results[at] = await work(job as Job)
        } catch (error) {
          if (!isOfBudget(error)) throw error
          isSpent = true
          return
        }
        onProgress?.({ done: ++done, total: jobs.length, cost: this.cost })
      }
    }
    await Promise.all(Array.from({ length: Math.min(concurrency, jobs.length) }, lane))
    return results
  }
}

/** Limits for the tokens of an answer: fewer would cut it off, and no answer here needs more. */
const [leastTokens, mostTokens] = [256, 8192]
/** Tokens for each byte of a request, until the first answer reports its token count. */
const firstPerByte = 0.5
/** Factor for the variation between requests. */
const margin = 1.25

/** Error of a request that costs more than what is left. */
class AllSpent extends Error {
  override readonly name = 'Spent'
}

export const isOfBudget = (error: unknown): boolean => error instanceof AllSpent
