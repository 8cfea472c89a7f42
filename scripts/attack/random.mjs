// @ts-check

/** Numbers and choices that the same seed gives again (mulberry32). */
export class Random {
  #state

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0
  }

  /** From 0 up to 1, exclusive. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296
  }

  /**
   * A whole number from 0 up to `end`, exclusive.
   * @param {number} end
   */
  below(end) {
    return Math.floor(this.next() * end)
  }

  /**
   * Whether what happens once in `times` happens.
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
