import * as s from '@skills/core/schema'
import { SkillsError } from '@skills/core'
import type { EvalCases } from './cases/eval-cases.js'
import type { AskModel, Asked } from './model.js'

/** Dollars for a million tokens. */
export interface Price {
  readonly input: number
  readonly output: number
}

export interface Progress {
  /** Trials. */
  readonly done: number
  readonly total: number
  /** Dollars; undefined without a price. */
  readonly cost: number | undefined
}

export const spendingOptions = s.options('new Spending()', {
  /** `asking(model)`, or `recordings.over(asking(model))`. */
  ask: s.fn<AskModel>().required(),
  /** Trials at one time. */
  concurrency: s.count().default(4),
  /** Default: cost is not known. */
  price: s.typed<Price>('a price'),
  /**
   * Dollars that are not exceeded; needs `price`. What a question may cost is set aside before it is asked, and how long
   * its answer may be follows from what is left: a trial that it is not enough for counts as not begun. Default: no limit.
   */
  maxCost: s.number(),
  /** Told after each trial. */
  onProgress: s.fn<(progress: Progress) => void>(),
})

export interface SpendingOptions extends s.OptionsOf<typeof spendingOptions> {}

/** What an evaluation by trials took. */
export interface Spent {
  /** Of what was asked, and not of what was recorded. */
  readonly inputTokens: number
  readonly outputTokens: number
  /** Dollars; undefined without a price. */
  readonly cost: number | undefined
  /** Trials that were not begun, because of `maxCost`. */
  readonly left: number
}

export const trialsOptions = s.options('trials', {
  ...spendingOptions.shape,
  /** By the name of the skill. */
  cases: s.typed<ReadonlyMap<string, EvalCases>>('cases by the name of their skill').required(),
  /** Of each query; of each task with the skill and without. */
  trials: s.count().default(3),
  /** Answers of the model in a trial, at most. Default: 12, in that of a task 40. */
  maxSteps: s.count(),
  /** Milliseconds of a trial, at most. Default: 300,000, of that of a task 600,000. */
  timeoutMs: s.count(),
  contextWindow: s.number(),
  signal: s.typed<AbortSignal>('an AbortSignal', 'aborted'),
})

/** What evaluations by trials have in common. */
export interface TrialsOptions extends s.OptionsOf<typeof trialsOptions> {}

/** What evaluations of one command spend together: hand the same to each, and `maxCost` is for all of them. */
export class Spending {
  /** Dollars that questions under way may cost. */
  #reserved = 0
  /** How many these are: sums of fractions do not come back to 0. */
  #held = 0
  #wake = (): void => {}
  #released = this.#nextRelease()
  /** Tokens. */
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

  /** Dollars; undefined without a price. */
  get cost(): number | undefined {
    const { price } = this.options
    return price && (this.inputTokens * price.input + this.outputTokens * price.output) / 1e6
  }

  /** What was spent on trials. @param ends those that were begun, and undefined for each of the others */
  of(ends: readonly unknown[]): Spent {
    const { inputTokens, outputTokens, cost } = this
    return { inputTokens, outputTokens, cost, left: ends.filter(end => end === undefined).length }
  }

  /** Counts what the model is asked, and not what is recorded. Rejects where that may cost more than is left. */
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
   * Sets aside what a question may cost at most, and says how many tokens its answer may have for that. Waits for
   * questions under way, which mostly cost less than was set aside for them.
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
   * Works on all jobs, several at a time. Gives the results in their order; undefined for one that was not begun, or that
   * what is left was not enough for.
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

/** Tokens of an answer: fewer would cut it off, more no answer here has. */
const [leastTokens, mostTokens] = [256, 8192]
/** Tokens of a byte of what is asked, before an answer has said how many there are. */
const firstPerByte = 0.5
/** For what differs from one question to the next. */
const margin = 1.25

/** What is left is not enough for a question. */
class AllSpent extends Error {
  override readonly name = 'Spent'
}

export const isOfBudget = (error: unknown): boolean => error instanceof AllSpent
