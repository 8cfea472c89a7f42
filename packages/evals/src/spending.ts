import { SkillsError } from '@skills/core'
import type { AskModel } from './model.js'

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

export interface SpendingOptions {
  /** `asking(model)`, or `recordings.over(asking(model))`. */
  readonly ask: AskModel
  /** Trials at one time. Default 4. */
  readonly concurrency?: number | undefined
  /** Default: cost is not known. */
  readonly price?: Price | undefined
  /** Dollars after which no further trial begins; needs `price`. Default: no limit. */
  readonly maxCost?: number | undefined
  /** Told after each trial. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
}

/** What evaluations of one command spend together: hand the same to each, and `maxCost` is for all of them. */
export class Spending {
  readonly #options: SpendingOptions
  inputTokens = 0
  outputTokens = 0

  /** @throws SkillsError `E_INVALID_OPTION` for a `maxCost` without a `price` */
  constructor(options: SpendingOptions) {
    this.#options = options
    if (options.maxCost !== undefined && options.price === undefined)
      throw new SkillsError('E_INVALID_OPTION', 'The option maxCost needs a price.', {
        hint: 'Give price: { input, output }, dollars for a million tokens.',
      })
  }

  /** Dollars; undefined without a price. */
  get cost(): number | undefined {
    const { price } = this.#options
    return price && (this.inputTokens * price.input + this.outputTokens * price.output) / 1e6
  }

  /** Counts what the model is asked, and not what is recorded. */
  readonly ask: AskModel = async (asked, signal) => {
    const answer = await this.#options.ask(asked, signal)
    if (answer.isRecorded === true) return answer
    this.inputTokens += answer.inputTokens
    this.outputTokens += answer.outputTokens
    return answer
  }

  /** Works on all jobs, several at a time. Gives the results in their order; undefined for one that was not begun. */
  async workOn<Job, Result>(
    jobs: readonly Job[],
    work: (job: Job) => Promise<Result>,
  ): Promise<readonly (Result | undefined)[]> {
    const { concurrency = 4, maxCost = Infinity, onProgress } = this.#options
    const results: (Result | undefined)[] = jobs.map(() => undefined)
    const left = [...jobs.entries()]
    let done = 0
    const lane = async (): Promise<void> => {
      while ((this.cost ?? 0) < maxCost) {
        const [at, job] = left.shift() ?? []
        if (at === undefined) return
        results[at] = await work(job as Job)
        onProgress?.({ done: ++done, total: jobs.length, cost: this.cost })
      }
    }
    await Promise.all(Array.from({ length: Math.min(concurrency, jobs.length) }, lane))
    return results
  }
}

/** @throws SkillsError `E_INVALID_OPTION` */
export function checkCounts(what: string, counts: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(counts))
    if (!Number.isSafeInteger(value) || value < 1)
      throw new SkillsError('E_INVALID_OPTION', `The option ${name} of ${what} is ${value}.`, {
        hint: 'Give a whole number above 0.',
      })
}
