import type { Clock } from '@skills/core'

export interface DebounceOptions {
  readonly clock: Clock
  /** Milliseconds without anything new before the work is done. */
  readonly quietMs: number
  /** Never rejects: it reports its own failures. */
  readonly work: () => Promise<void>
}

/** How many quiet times something that never rests is put off. */
const mostQuietTimes = 10

/** Does work once it has been quiet for a while, one at a time: what comes during the work waits for the next. */
export class Debounce {
  /** When the first and the last of what waits came; milliseconds since the epoch. */
  #first: number | undefined
  #last = 0
  #cancel: (() => void) | undefined
  #working: Promise<void> | undefined
  #isClosed = false

  constructor(private readonly options: DebounceOptions) {}

  /** Notes that there is something to do. */
  touch(): void {
    if (this.#isClosed) return
    this.#last = this.options.clock.now()
    this.#first ??= this.#last
    // A timer for each of a thousand events would be a thousand timers: one looks again when it ends.
    if (this.#cancel === undefined && this.#working === undefined) this.#wait(this.options.quietMs)
  }

  /** Drops what waits. Settles when work that had begun is done. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancel?.()
    this.#cancel = undefined
    await this.#working
  }

  #wait(ms: number): void {
    this.#cancel = this.options.clock.after(ms, () => this.#look())
  }

  #look(): void {
    const { clock, quietMs, work } = this.options
    this.#cancel = undefined
    const now = clock.now()
    const left = Math.min(this.#last + quietMs, (this.#first ?? now) + quietMs * mostQuietTimes) - now
    // A clock that was set back must not put anything off for longer than that.
    if (left > 0 && left <= quietMs * mostQuietTimes) {
      this.#wait(left)
      return
    }
    this.#first = undefined
    this.#working = work().finally(() => {
      this.#working = undefined
      if (this.#first !== undefined && !this.#isClosed) this.#wait(quietMs)
    })
  }
}
