// @ts-check

/**
 * Source of numbers for a grammar: the same seed gives the same cases.
 * @typedef {object} Random
 * @property {(below: number) => number} number a whole number from 0 up to, but without, `below`
 * @property {<T>(all: readonly T[]) => T} one one of these
 * @property {(percent: number) => boolean} chance
 */

/** @param {number} seed @returns {Random} */
export function randomFrom(seed) {
  let state = seed >>> 0
  // Mulberry32: small, and enough for choosing among forms.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const number = (/** @type {number} */ below) => Math.floor(next() * below)
  return {
    number,
    one: all => {
      const chosen = all[number(all.length)]
      if (chosen === undefined) throw new Error('There is nothing to choose from.')
      return chosen
    },
    chance: percent => number(100) < percent,
  }
}
