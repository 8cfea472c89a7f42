import type { Clock } from '@skills/core'

export interface DebounceOptions {
  readonly clock: Clock
  /** Milliseconds without a new event before the work is done. */
  readonly quietMs: number
  /** Must not reject: it reports its own failures. */
  readonly work: () => Promise<void>
}

/** Most quiet periods for which work is put off while events keep coming. */
const mostQuietTimes = 10

/** Does work after a quiet period, one run at a time. Events during the work wait for the next run. */
export class Debounce {
  /** Time of the first waiting event, in milliseconds since the epoch. */
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
    // A timer for each of a thousand events would be a thousand timers. One timer is enough: it checks again when it
    // ends.
    if (this.#cancel === undefined && this.#working === undefined) this.#wait(this.options.quietMs)
  }

  /** Drops waiting events. Settles when running work is done. */
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
    // A clock that was set back must not delay the work for longer than that.
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
