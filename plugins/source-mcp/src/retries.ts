import type { Clock } from '@skills/core'
import type { McpSettings } from './options.js'

/** When a server is tried again: later after each failure, and not for ever. */
export class Retries {
  readonly #settings: Pick<McpSettings, 'retryMs' | 'retryMostMs' | 'retries'>
  readonly #clock: Clock
  readonly #again: () => void
  #failures = 0
  #cancel: (() => void) | undefined

  /** @param again makes an attempt */
  constructor(settings: Pick<McpSettings, 'retryMs' | 'retryMostMs' | 'retries'>, clock: Clock, again: () => void) {
    this.#settings = settings
    this.#clock = clock
    this.#again = again
  }

  /** Plans the next attempt; false when there have been enough. */
  plan(): boolean {
    const { retryMs, retryMostMs, retries } = this.#settings
    this.cancel()
    if (this.#failures >= retries) {
      // The next listing counts its attempts from the start.
      this.#failures = 0
      return false
    }
    const ms = Math.min(retryMostMs, retryMs * 2 ** this.#failures)
    this.#failures++
    this.#cancel = this.#clock.after(ms, () => {
      this.#cancel = undefined
      this.#again()
    })
    return true
  }

  succeeded(): void {
    this.#failures = 0
  }

  cancel(): void {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
