export const beyondAscii = /[^\0-\x7f]/

/** Compares by UTF-16 code unit, the same on every machine and in every locale. */
export const compareCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Returns a name as catalogs compare it: in Unicode NFC, since two file systems may store one name differently. */
export const nameKey = (name: string): string => (beyondAscii.test(name) ? name.normalize('NFC') : name)

/** Returns a name as typed names are compared: without case. */
export const foldedName = (name: string): string => nameKey(name).toLowerCase()

/**
 * Returns the names closest to `word`, best first: few edits away, or one beginning with the other.
 * @param most most names to return
 */
export function closestNames(word: string, names: Iterable<string>, most = 3): readonly string[] {
  const wanted = word.toLowerCase()
  const { length } = wanted
  const limit = Math.min(3, length - 1, Math.ceil(length / 3))
  return [...names]
    .flatMap(name => {
      const candidate = name.toLowerCase()
      const isPrefix =
        length > 2 && candidate.length > 2 && (candidate.startsWith(wanted) || wanted.startsWith(candidate))
      // The number of edits is at least the difference in length, which is cheaper to compute.
      if (!isPrefix && Math.abs(candidate.length - length) > limit) return []
      const edits = editsBetween(wanted, candidate)
      return edits > limit && !isPrefix ? [] : { name, edits }
    })
    .toSorted((a, b) => a.edits - b.edits || compareCodeUnits(a.name, b.name))
    .slice(0, most)
    .map(({ name }) => name)
}

/**
 * Returns how many characters must be inserted, removed, replaced or swapped with their neighbour to turn one word into
 * the other.
 */
export function editsBetween(one: string, other: string): number {
  let above: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_none, at) => at)
  for (let down = 1; down <= one.length; down++) {
    const next = [down]
    for (let at = 1; at <= other.length; at++) {
      const isSwap = one[down - 1] === other[at - 2] && one[down - 2] === other[at - 1]
      const same = Number(one[down - 1] === other[at - 1])
      next.push(Math.min(row[at - 1]! - same, row[at]!, next[at - 1]!, isSwap ? above[at - 2]! : Infinity) + 1)
    }
    ;[above, row] = [row, next]
  }
  return row[other.length]!
}
