import type { Clock } from '@skills/core'

export interface FakeClock extends Clock {
  /**
   * Moves the clock forward by `ms` milliseconds and calls the timers that fall due, in the order of their times.
   * Promises settle before, between and after the calls, so a timer that a promise sets within the span is called too.
   */
  advance(ms: number): Promise<void>
  /** Number of timers that are still waiting. 0 means that none would keep a process alive. */
  readonly pending: number
}

/**
 * Makes a clock that moves only when `advance()` is called.
 * @param start milliseconds since the epoch
 */
export function fakeClock(start: number = Date.UTC(2024, 0, 1)): FakeClock {
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>()
  let time = start
  return {
    now: () => time,
    after(ms, callback) {
      const timer = { at: time + Math.max(0, ms), callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    async advance(ms) {
      const end = time + ms
      for (;;) {
        await promisesRun()
        const due = [...timers].filter(timer => timer.at <= end).sort((a, b) => a.at - b.at)[0]
        if (due === undefined) break
        timers.delete(due)
        time = due.at
        due.callback()
      }
      time = end
    },
    get pending() {
      return timers.size
    },
  }
}

/** Waits one turn of the event loop. Every promise that needs nothing from outside the process has settled by then. */
function promisesRun(): Promise<void> {
  return new Promise(resolve => {
    setImmediate(resolve)
  })
}
