// @ts-check

/**
 * Makes a clock that calls back at once and counts the waits. Its time is the machine's, ahead by the given
 * milliseconds.
 * @param {number} [aheadMs]
 */
export function noWaitClock(aheadMs = 0) {
  return {
    waits: 0,
    waitedMs: 0,
    now: () => Date.now() + aheadMs,
    /** @param {number} ms @param {() => void} callback */
    after(ms, callback) {
      this.waits += 1
      this.waitedMs += ms
      const handle = setImmediate(callback)
      return () => clearImmediate(handle)
    },
  }
}
