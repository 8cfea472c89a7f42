import { describe, expect, test } from 'vitest'
import { decided, newcombe, trialsToDecide, wilson } from './statistics.js'

/** Makes a small seeded generator of numbers (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

describe('intervals', () => {
  // Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I, method 3.
  test.each([
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
  ])('of Wilson are those of the published table: %i of %i', (successes, trials, low, high) => {
    const found = wilson({ successes, trials })
    expect(found.low).toBeCloseTo(low, 4)
    expect(found.high).toBeCloseTo(high, 4)
  })

  // Newcombe (1998), "Interval estimation for the difference between independent proportions", table II, method 10.
  test.each([
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [6, 7, 2, 7, 0.0582, 0.8062],
    [5, 56, 0, 29, -0.0381, 0.1926],
    [0, 10, 0, 20, -0.1611, 0.2775],
    [0, 10, 0, 10, -0.2775, 0.2775],
    [10, 10, 0, 20, 0.6791, 1],
    [10, 10, 0, 10, 0.6075, 1],
  ])('of differences are those of the published table: %i/%i - %i/%i', (a, n, b, m, low, high) => {
    const found = newcombe({ successes: a, trials: n }, { successes: b, trials: m })
    expect(found.low).toBeCloseTo(low, 4)
    expect(found.high).toBeCloseTo(high, 4)
  })

  test('have the true share 95 times of 100, within 1', () => {
    const next = numbers(24)
    const drawn = (rate: number, trials: number): number =>
      Array.from({ length: trials }, next).filter(value => value < rate).length
    for (const trials of [10, 20, 50]) {
      let [single, both] = [0, 0]
      const runs = 20_000
      for (let run = 0; run < runs; run++) {
        const [p, q] = [next(), next()]
        const [one, other] = [p, q].map(rate => ({ successes: drawn(rate, trials), trials }))
        if (one === undefined || other === undefined) throw new Error('Nothing was drawn.')
        const alone = wilson(one)
        const difference = newcombe(one, other)
        if (alone.low <= p && p <= alone.high) single++
        if (difference.low <= p - q && p - q <= difference.high) both++
      }
      expect(single / runs, `${trials} trials`).toBeGreaterThan(0.94)
      expect(single / runs, `${trials} trials`).toBeLessThan(0.96)
      expect(both / runs, `${trials} trials each`).toBeGreaterThan(0.94)
      expect(both / runs, `${trials} trials each`).toBeLessThan(0.965)
    }
  })
})

describe('how many more trials', () => {
  test('is the least number that decides', () => {
    expect(trialsToDecide({ successes: 20, trials: 20 }, 0.5)).toBe(0)
    for (const [successes, trials] of [
      [3, 4],
      [1, 3],
      [6, 10],
    ] as const) {
      const more = trialsToDecide({ successes, trials }, 0.5) ?? 0
      const at = (all: number) => wilson({ successes: (successes / trials) * all, trials: all })
      const isDecided = (all: number): boolean => at(all).low > 0.5 || at(all).high < 0.5
      expect([isDecided(trials + more), isDecided(trials + more - 1)]).toEqual([true, false])
    }
  })

  test('is not said where no number would do, or nothing is known', () => {
    expect(trialsToDecide({ successes: 5, trials: 10 }, 0.5)).toBeUndefined()
    expect(trialsToDecide({ successes: 0, trials: 0 }, 0.5)).toBeUndefined()
  })
})

describe('an early end', () => {
  test('comes once the difference is beyond doubt, or can no longer come about', () => {
    expect(decided({ successes: 12, trials: 12 }, { successes: 0, trials: 12 }, 40)).toBe('better')
    expect(decided({ successes: 0, trials: 12 }, { successes: 12, trials: 12 }, 40)).toBe('worse')
    expect(decided({ successes: 5, trials: 10 }, { successes: 5, trials: 10 }, 40)).toBeUndefined()
    expect(decided({ successes: 19, trials: 38 }, { successes: 19, trials: 38 }, 40)).toBe('same')
    expect(decided({ successes: 30, trials: 40 }, { successes: 10, trials: 40 }, 40)).toBe('better')
  })

  test('finds what is not there no more often than 5 times of 100, however often it is looked for', () => {
    const next = numbers(7)
    const runs = 2000
    let wrong = 0
    for (let run = 0; run < runs; run++) {
      const [one, other] = [
        { successes: 0, trials: 0 },
        { successes: 0, trials: 0 },
      ]
      const rate = next()
      let verdict
      while (verdict === undefined) {
        for (const count of [one, other]) {
          count.trials++
          if (next() < rate) count.successes++
        }
        verdict = decided(one, other, 40)
      }
      if (verdict !== 'same') wrong++
    }
    expect(wrong / runs).toBeLessThan(0.06)
  })
})
