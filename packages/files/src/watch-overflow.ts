import { readFileSync } from 'node:fs'
import { unlessRefused } from './problem.js'

/** Length of the queue in Linux by default. */
const usualQueue = 16_384

/**
 * Detects that the system may have dropped events. On Linux the queue of events has a limit, and Node does not report
 * when the queue is full. But all events of a full queue arrive in one turn of the event loop. Because other watches of
 * the process share the queue, half of its limit in one turn is taken as a sign.
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

/** Returns the most events that the system keeps for a process that does not read them. */
export function queueLength(): number {
  return unlessRefused(
    () => Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'latin1')) || usualQueue,
    usualQueue,
  )
}
