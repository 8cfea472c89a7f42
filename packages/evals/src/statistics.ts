/** How often something happened of how many times. */
export interface Count {
  readonly successes: number
  readonly trials: number
}

/** From 0 to 1; of a difference from -1 to 1. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** A share with the interval that has the true one 95 times of 100. */
export interface Proportion extends Count, Interval {
  /** 0 without trials. */
  readonly rate: number
}

/** How much more often something happens here than there. */
export interface Difference extends Interval {
  readonly difference: number
}

/** The quantile of the normal distribution for 95 %, both sides. */
export const z95 = 1.959963984540054
/** For 99.9 %: of Haybittle and Peto, with which looking early costs the last look nothing that counts. */
const zEarly = 3.2905267314919255

/** The interval of Wilson (1927), which holds for few trials and for shares near 0 and 1. */
export function wilson({ successes, trials }: Count, z = z95): Interval {
  if (trials === 0) return { low: 0, high: 1 }
  const rate = successes / trials
  const centre = rate + z ** 2 / (2 * trials)
  const margin = z * Math.sqrt((rate * (1 - rate)) / trials + z ** 2 / (4 * trials ** 2))
  const scale = 1 + z ** 2 / trials
  // What rounding leaves of nothing at the ends is nothing.
  return {
    low: successes === 0 ? 0 : Math.max(0, (centre - margin) / scale),
    high: successes === trials ? 1 : Math.min(1, (centre + margin) / scale),
  }
}

/** Several counts as one. */
export function sumOf(counts: readonly Count[]): Count {
  return {
    successes: counts.reduce((all, { successes }) => all + successes, 0),
    trials: counts.reduce((all, { trials }) => all + trials, 0),
  }
}

export function proportion(count: Count): Proportion {
  const { successes, trials } = count
  return { successes, trials, rate: trials === 0 ? 0 : successes / trials, ...wilson(count) }
}

/** The difference of two shares, one less other, with the interval of Newcombe (1998), his method 10. */
export function newcombe(one: Count, other: Count, z = z95): Difference {
  const [p1, p2] = [rateOf(one), rateOf(other)]
  const [a, b] = [wilson(one, z), wilson(other, z)]
  const difference = p1 - p2
  if (one.trials === 0 || other.trials === 0) return { difference, low: -1, high: 1 }
  return {
    difference,
    low: difference - Math.hypot(p1 - a.low, b.high - p2),
    high: difference + Math.hypot(a.high - p1, p2 - b.low),
  }
}

function rateOf({ successes, trials }: Count): number {
  return trials === 0 ? 0 : successes / trials
}

/**
 * How many more trials decide on which side of a threshold a share lies, if it stays what it is now: 0 where that is
 * decided. Undefined where `most` more would not.
 */
export function trialsToDecide(count: Count, threshold: number, most = 10_000): number | undefined {
  const { trials } = count
  const rate = rateOf(count)
  const decides = (more: number): boolean => {
    const all = trials + more
    const { low, high } = wilson({ successes: rate * all, trials: all })
    return low > threshold || high < threshold
  }
  if (trials === 0 || !decides(most)) return undefined
  let [least, enough] = [0, most]
  while (least < enough) {
    const middle = Math.floor((least + enough) / 2)
    if (decides(middle)) enough = middle
    else least = middle + 1
  }
  return enough
}

/** `better`, `worse`: one than other; `same`: not to be told apart with the trials there will be. */
export type Verdict = 'better' | 'worse' | 'same'

/**
 * Whether two shares can be told apart before all trials are made: early by an interval of 99.9 %, so that looking often
 * does not find what is not there; `same` early where no outcome of the trials left could still tell them apart.
 * @param planned trials of each in the end
 */
export function decided(one: Count, other: Count, planned: number): Verdict | undefined {
  const [left, right] = [planned - one.trials, planned - other.trials].map(count => Math.max(0, count))
  const isOver = left === 0 && right === 0
  const now = sideOf(newcombe(one, other, isOver ? z95 : zEarly))
  if (now !== 'same' || isOver) return now
  const last = (wins: boolean): Verdict =>
    sideOf(
      newcombe(
        { successes: one.successes + (wins ? (left ?? 0) : 0), trials: one.trials + (left ?? 0) },
        { successes: other.successes + (wins ? 0 : (right ?? 0)), trials: other.trials + (right ?? 0) },
      ),
    )
  return last(true) === 'same' && last(false) === 'same' ? 'same' : undefined
}

function sideOf({ low, high }: Interval): Verdict {
  return low > 0 ? 'better' : high < 0 ? 'worse' : 'same'
}
