/** Milliseconds of uninterrupted work; the rest of the process gets a turn after it. */
const sliceMs = 6
/** A read from the page cache takes a tenth of this, one from a disk several times it. */
const slowMs = 0.08
/** Reads that are looked at together before they are called slow. */
const window = 32
/** Reads with callbacks before synchronous ones are tried again. */
const callbackBatch = 1024

/**
 * Decides how a scan goes on: synchronously while the page cache answers, which is fastest, with callbacks once reads
 * prove slow, and never longer than a slice without giving way.
 */
export class Pace {
  #sliceStart = performance.now()
  /** When the work on the last file ended. */
  #last = this.#sliceStart
  #reads = 0
  #readMs = 0
  /** Set while reads look slow: how often the process had waited when they began to. */
  #waits: number | undefined
  #callbacksLeft

  /** @param isSlow whether reads are taken for slow throughout, without asking how long they take */
  constructor(isSlow = false) {
    this.#callbacksLeft = isSlow ? Infinity : 0
  }

  /** Whether reads are slow now, so that several should wait side by side. */
  get isSlow(): boolean {
    return this.#callbacksLeft > 0
  }

  /** Notes the work on one file, read synchronously; tells whether the slice is over. */
  endRead(): boolean {
    const now = performance.now()
    this.#readMs += now - this.#last
    this.#last = now
    if (++this.#reads === window) {
      this.#endWindow(this.#readMs > window * slowMs)
      this.#reads = 0
      this.#readMs = 0
    }
    return now - this.#sliceStart > sliceMs || this.isSlow
  }

  /** A busy processor makes reads look slow too; only storage makes the process wait for each of them. */
  #endWindow(looksSlow: boolean): void {
    const waits = this.#waits
    this.#waits = looksSlow ? process.resourceUsage().voluntaryContextSwitches : undefined
    if (waits !== undefined && this.#waits !== undefined && this.#waits - waits >= window) {
      this.#callbacksLeft = callbackBatch
      this.#waits = undefined
    }
  }

  /** Notes one read with callbacks. */
  endCallbackRead(): void {
    if (--this.#callbacksLeft === 0) this.#last = performance.now()
  }

  get isSliceOver(): boolean {
    return performance.now() - this.#sliceStart > sliceMs
  }

  /** Lets everything else of the process run. */
  async giveWay(): Promise<void> {
    await new Promise<void>(resolve => {
      setImmediate(resolve)
    })
    this.#sliceStart = performance.now()
    this.#last = this.#sliceStart
  }
}
