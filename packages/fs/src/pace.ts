import { setImmediate as turn } from 'node:timers/promises'

/** Milliseconds of uninterrupted work; the rest of the process gets a turn after it. */
const sliceMs = 3
/** A read from the page cache takes a tenth of this, one from a disk several times it. */
const slowMs = 0.08
/** Reads that are looked at together before they are called slow, and the first of them, which give the suspicion. */
const window = 32
const firstReads = 8
/** Reads with callbacks before synchronous ones are tried again. */
const callbackBatch = 2048
/** Files that are passed over between two looks at the time, which takes a good part of the time that passing one over does. */
const keptBatch = 8

/**
 * Decides how a scan goes on: synchronously while the page cache answers, which is fastest, with callbacks once reads
 * prove slow, and never longer than a slice without giving way.
 */
export class Pace {
  #sliceStart = performance.now()
  /** When the work on the last file ended. */
  #last = this.#sliceStart
  #kept = 0
  #reads = 0
  #readMs = 0
  /** Set while reads look slow: how often the process had waited when they were suspected. */
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
    if (++this.#reads === firstReads) this.#waits = this.#readMs > firstReads * slowMs ? countWaits() : undefined
    if (this.#reads === window) {
      if (this.#readMs > window * slowMs) this.#confirm()
      this.#reads = 0
      this.#readMs = 0
    }
    return now - this.#sliceStart > sliceMs
  }

  /** Notes that something was passed over because it is as it was; tells whether the slice is over. */
  endKept(): boolean {
    // Where storage makes one wait, asking about a single file may take longer than a slice.
    if (++this.#kept % keptBatch !== 0 && !this.isSlow) return false
    this.#last = performance.now()
    return this.#last - this.#sliceStart > sliceMs
  }

  /** A busy processor makes reads look slow too; only storage makes the process wait for each of them. */
  #confirm(): void {
    if (this.#waits !== undefined && countWaits() - this.#waits >= window - firstReads) this.#callbacksLeft = callbackBatch
  }

  /** Notes one read with callbacks. */
  endCallbackRead(): void {
    if (--this.#callbacksLeft === 0) this.#last = performance.now()
  }

  /** Lets everything else of the process run. */
  async giveWay(): Promise<void> {
    await turn()
    this.#sliceStart = performance.now()
    this.#last = this.#sliceStart
  }
}

/** How often the process gave up the processor to wait for something. */
function countWaits(): number {
  return process.resourceUsage().voluntaryContextSwitches
}
