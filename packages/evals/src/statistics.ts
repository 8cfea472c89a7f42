/** Number of successes in a number of trials. */
export interface Count {
  readonly successes: number
  readonly trials: number
}

/** Interval of a rate, from 0 to 1, or of a difference, from -1 to 1. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** Rate with its 95 % confidence interval. */
export interface Proportion extends Count, Interval {
  /** 0 without trials. */
  readonly rate: number
}

/** Difference of two rates, with its interval. */
export interface Difference extends Interval {
  readonly difference: number
}

/** Quantile of the normal distribution for 95 %, two-sided. */
export const z95 = 1.959963984540054
/** Quantile for 99.9 % (Haybittle and Peto): at this level, early looks do not notably weaken the last one. */
const zEarly = 3.2905267314919255

/** Returns Wilson's interval (1927), which is valid for few trials and for rates near 0 and 1. */
export function wilson({ successes, trials }: Count, z = z95): Interval {
  if (trials === 0) return { low: 0, high: 1 }
  const rate = successes / trials
  const centre = rate + z ** 2 / (2 * trials)
  const margin = z * Math.sqrt((rate * (1 - rate)) / trials + z ** 2 / (4 * trials ** 2))
  const scale = 1 + z ** 2 / trials
  // At the ends the limit is exact; rounding must not move it.
  return {
    low: successes === 0 ? 0 : Math.max(0, (centre - margin) / scale),
    high: successes === trials ? 1 : Math.min(1, (centre + margin) / scale),
  }
}

/** Adds counts. */
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

/** Returns the difference of two rates (`one` minus `other`), with the interval of Newcombe (1998), method 10. */
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
 * Returns how many more trials decide whether a rate is above or below a threshold, if the rate stays the same. 0 if
 * the present trials decide it. Undefined if `most` more trials would not decide it.
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

/** Verdict on the first of two rates. `same` if the planned trials cannot show a difference. */
export type Verdict = 'better' | 'worse' | 'same'

/**
 * Decides whether two rates differ, before all trials are made if possible. An early decision needs a 99.9 % interval,
 * because checking after each trial would otherwise often find a difference by chance. `same` is returned early if no
 * result of the remaining trials could show a difference. Undefined while undecided.
 * @param planned number of trials for each rate at the end
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
