import type { Clock } from '@skills/core'
import type { McpSettings } from './options.js'

/** When a server is tried again: later after each failure, and not for ever. */
export class Retries {
  #failures = 0
  #cancel: (() => void) | undefined

  /** @param again makes an attempt */
  constructor(
    private readonly settings: Pick<McpSettings, 'retryMs' | 'retryMostMs' | 'retries'>,
    private readonly clock: Clock,
    private readonly again: () => void,
  ) {}

  /** Plans the next attempt; false when there have been enough. */
  plan(): boolean {
    const { retryMs, retryMostMs, retries } = this.settings
    this.cancel()
    if (this.#failures >= retries) {
      // The next listing counts its attempts from the start.
      this.#failures = 0
      return false
    }
    const ms = Math.min(retryMostMs, retryMs * 2 ** this.#failures)
    this.#failures++
    this.#cancel = this.clock.after(ms, () => {
      this.#cancel = undefined
      this.again()
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
