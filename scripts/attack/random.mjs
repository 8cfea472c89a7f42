// @ts-check

/** A generator of random numbers and choices: the same seed gives the same ones (mulberry32). */
export class Random {
  #state

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0
  }

  /** Returns a number from 0 up to 1, exclusive. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296
  }

  /**
   * Returns a whole number from 0 up to `end`, exclusive.
   * @param {number} end
   */
  below(end) {
    return Math.floor(this.next() * end)
  }

  /**
   * Returns true once in `times` calls, on average.
   * @param {number} times
   */
  once(times) {
    return this.below(times) === 0
  }

  /**
   * @template T
   * @param {readonly T[]} list
   * @returns {T}
   */
  pick(list) {
    const found = list[this.below(list.length)]
    if (found === undefined) throw new RangeError('There is nothing to pick from.')
    return found
  }
}
