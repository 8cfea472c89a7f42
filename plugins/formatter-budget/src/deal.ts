import { ellipsis } from '@skills/invocation/internal'
import { separator, type Line } from './line.js'

export interface Deal {
  /** UTF-16 code units of each line's description that were paid for. */
  readonly units: readonly number[]
  /**
   * The most graphemes of a shortened description; the other shortened ones have at most one fewer, unless they stepped
   * aside.
   */
  readonly rounds: number
}

/**
 * Deals room to descriptions, one grapheme to each in turn, until there is none left: a short one is done early and
 * leaves its part to the others; one whose next grapheme costs more than there is steps aside.
 * @param room UTF-16 code units for descriptions, with the colon before and the mark of a shortened one
 */
export function deal(lines: readonly Line[], room: number): Deal {
  // While room lasts for a full round the order has no effect; only the rest is dealt in turn.
  const costOfAll = costing(lines)
  let rounds = roundsForAll(costOfAll, room)
  const units = lines.map(line => grown(line, rounds))
  let left = room - costOfAll(rounds)
  let playing = lines.map((_line, at) => at).filter(at => (units[at] ?? 0) < (lines[at]?.description.length ?? 0))
  while (playing.length > 0 && left > 0) {
    const next: number[] = []
    let given = 0
    for (const at of playing) {
      const line = lines[at]
      if (line === undefined) continue
      const before = units[at] ?? 0
      const after = grown(line, rounds + 1)
      const cost = line.costOf(after) - line.costOf(before)
      if (cost > left) continue
      left -= cost
      units[at] = after
      given++
      if (after < line.description.length) next.push(at)
    }
    if (given > 0) rounds++
    playing = next
  }
  return { units, rounds }
}

/**
 * Tells what so many graphemes of each line take; of plain lines by their lengths alone, since it is asked a dozen
 * times of thousands.
 */
function costing(lines: readonly Line[]): (count: number) => number {
  const plain: number[] = []
  const others: Line[] = []
  for (const line of lines) {
    const { graphemes } = line
    if (!graphemes.isPlain) others.push(line)
    else if (graphemes.length > 0) plain.push(graphemes.length)
  }
  const lengths = Float64Array.from(plain).sort()
  // Of the shortest ones, so many as the index says, the whole.
  const sums = new Float64Array(lengths.length + 1)
  for (let at = 0; at < lengths.length; at++) sums[at + 1] = (sums[at] ?? 0) + separator.length + (lengths[at] ?? 0)
  return count => {
    if (count === 0) return 0
    const whole = countUpTo(lengths, count + ellipsis.length)
    let sum = (sums[whole] ?? 0) + (lengths.length - whole) * (separator.length + count + ellipsis.length)
    for (const line of others) sum += line.costOf(grown(line, count))
    return sum
  }
}

/** How many of these, which ascend, are no more than that. */
function countUpTo(ascending: Float64Array, most: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) <= most) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * How many graphemes each line can have. Graphemes are found as far as they are asked for, so it feels its way from
 * below.
 */
function roundsForAll(costOfAll: (count: number) => number, room: number): number {
  let [most, tooMany] = [0, 1]
  // No description has more graphemes than there is room, or all of them are whole.
  while (tooMany <= room && costOfAll(tooMany) <= room) [most, tooMany] = [tooMany, tooMany * 2]
  while (most + 1 < tooMany) {
    const middle = Math.floor((most + tooMany) / 2)
    if (costOfAll(middle) <= room) most = middle
    else tooMany = middle
  }
  return most
}

/** What so many graphemes come to; the whole where the mark would take the place of the rest. */
export function grown({ graphemes }: Line, count: number): number {
  if (count === 0) return 0
  const units = graphemes.unitsOf(count)
  return units + ellipsis.length >= graphemes.length ? graphemes.length : units
}

/**
 * The first lines that can have so many graphemes each: a few letters tell a model nothing, so fewer lines get longer
 * descriptions.
 * @returns for each line whether it is among them
 */
export function readable(lines: readonly Line[], room: number, minShare: number): readonly boolean[] {
  let left = room
  return lines.map(line => {
    if (line.description === '') return false
    const cost = line.costOf(grown(line, minShare))
    if (cost > left) return false
    left -= cost
    return true
  })
}
