import type { Clock } from '@skills/core'

export interface FakeClock extends Clock {
  /**
   * Moves time on by `ms` milliseconds and calls what falls due, in order of its time. Promises run before, between and
   * after the calls, so a timer that one of them sets within the span is called too.
   */
  advance(ms: number): Promise<void>
  /** Timers that wait: zero means that nothing of what was started would keep a process alive. */
  readonly pending: number
}

/**
 * A clock that stands still until told otherwise.
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

/** One turn of the event loop: every promise that can settle without the outside world has settled afterwards. */
function promisesRun(): Promise<void> {
  return new Promise(resolve => {
    setImmediate(resolve)
  })
}
