import type { Clock } from '@skills/core'

/**
 * Limits the requests of a client: how many may arrive in a second on average (up to five times as many in a burst),
 * and how many may be in progress at the same time.
 */
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

  /** Counts a request. Returns the function that ends it, or undefined if there are too many. */
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
