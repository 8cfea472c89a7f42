import { ellipsis } from '@skills/invocation/internal'
import { separator, type Line } from './line.js'

export interface Deal {
  /** UTF-16 code units of each line's description that have room. */
  readonly units: readonly number[]
  /**
   * Most graphemes of a shortened description. The other shortened ones have at most one fewer, unless their next
   * grapheme was too long.
   */
  readonly rounds: number
}

/**
 * Distributes room among descriptions, one grapheme to each in turn, until no room is left. A short description is
 * complete early and leaves its share to the others. If the next grapheme of a description does not fit, the
 * description gets no more graphemes.
 * @param room UTF-16 code units for descriptions, including the colon before a description and the mark of a shortened
 *   one
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
 * Returns the function that computes the length of a number of graphemes of each line. Plain lines are computed from
 * their lengths only, because it is called a dozen times for thousands of lines.
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
  // sums[n] is the total length of the n shortest ones, whole.
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

/** Returns how many of these ascending numbers are at most `most`. */
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
 * Returns how many graphemes each line can have. Graphemes are found on demand, so the search starts at small numbers.
 */
function roundsForAll(costOfAll: (count: number) => number, room: number): number {
  let [most, tooMany] = [0, 1]
  // No description has more graphemes than there is room, unless all are whole.
  while (tooMany <= room && costOfAll(tooMany) <= room) [most, tooMany] = [tooMany, tooMany * 2]
  while (most + 1 < tooMany) {
    const middle = Math.floor((most + tooMany) / 2)
    if (costOfAll(middle) <= room) most = middle
    else tooMany = middle
  }
  return most
}

/**
 * Returns the number of code units of the first `count` graphemes, or of the whole text if the mark would be as long as
 * the rest.
 */
export function grown({ graphemes }: Line, count: number): number {
  if (count === 0) return 0
  const units = graphemes.unitsOf(count)
  return units + ellipsis.length >= graphemes.length ? graphemes.length : units
}

/**
 * Selects the first lines that can have `minShare` graphemes each. Fewer lines then have a longer description, because
 * a model learns nothing from a few letters.
 * @returns for each line whether it is selected
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
