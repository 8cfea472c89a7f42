import type { Clock } from '@skills/core'

/** How many requests one client makes: so many a second, five times as many at once, and so many under way. */
export class Rate {
  #left: number
  #since: number
  #open = 0

  constructor(
    private readonly clock: Clock,
    private readonly perSecond: number,
    private readonly maxOpen: number,
  ) {
    this.#left = perSecond * 5
    this.#since = clock.now()
  }

  /** Counts a request; gives what ends it, or undefined where it is one too many. */
  begin(): (() => void) | undefined {
    const now = this.clock.now()
    this.#left = Math.min(this.perSecond * 5, this.#left + ((now - this.#since) / 1000) * this.perSecond)
    this.#since = now
    if (this.#left < 1 || this.#open >= this.maxOpen) return undefined
    this.#left--
    this.#open++
    let isOpen = true
    return () => {
      if (isOpen) this.#open--
      isOpen = false
    }
  }
}
