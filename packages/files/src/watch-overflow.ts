import { readFileSync } from 'node:fs'
import { unlessRefused } from './problem.js'

/** What Linux keeps unless it is told otherwise. */
const usualQueue = 16_384

/**
 * Notices that the system may have dropped events. On Linux its queue has a limit, and Node does not say when that was
 * reached; but then the whole queue arrives in one turn of the event loop. Other watches of the process share it, so
 * that half of it is enough.
 */
export class EventBursts {
  readonly #most = queueLength() / 2
  #count = 0

  constructor(private readonly onOverflow: () => void) {}

  /** Notes one event. */
  readonly note = (): void => {
    if (this.#count++ > 0) return
    setImmediate(() => {
      const isOverflow = this.#count >= this.#most
      this.#count = 0
      if (isOverflow) this.onOverflow()
    })
  }
}

/** Events that the system keeps for a process that does not take them. */
export function queueLength(): number {
  return unlessRefused(
    () => Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'latin1')) || usualQueue,
    usualQueue,
  )
}
