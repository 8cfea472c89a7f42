import type { Clock } from '@skills/core'
import type { McpSettings } from './options.js'

/**
 * Plans the next attempts to reach a server. The delay grows after each failure, and the number of attempts is limited.
 */
export class Retries {
  #failures = 0
  #cancel: (() => void) | undefined

  /** @param again makes an attempt */
  constructor(
    private readonly settings: Pick<McpSettings, 'retryMs' | 'retryMostMs' | 'retries'>,
    private readonly clock: Clock,
    private readonly again: () => void,
  ) {}

  /** Plans the next attempt. Returns false if the limit is reached. */
  plan(): boolean {
    const { retryMs, retryMostMs, retries } = this.settings
    this.cancel()
    if (this.#failures >= retries) {
      // The next listing starts to count again.
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
