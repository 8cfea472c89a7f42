export const beyondAscii = /[^\0-\x7f]/

/** Orders by UTF-16 code unit, the same on every machine and in every locale. */
export const compareCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The form of a name that catalogs compare: Unicode NFC, since two file systems may store one name differently. */
export const nameKey = (name: string): string => (beyondAscii.test(name) ? name.normalize('NFC') : name)

/** The form of a name that what a person types is compared by. */
export const foldedName = (name: string): string => nameKey(name).toLowerCase()

/**
 * The names closest to `word`, best first: few edits away, or one beginning with the other.
 * @param most how many at most
 */
export function closestNames(word: string, names: Iterable<string>, most = 3): readonly string[] {
  const wanted = word.toLowerCase()
  // Two swapped letters are two edits, also in a word of four.
  const limit = wanted.length <= 2 ? wanted.length - 1 : Math.min(3, Math.ceil(wanted.length / 3))
  const scored: { name: string; score: number }[] = []
  for (const name of names) {
    const candidate = name.toLowerCase()
    const isPrefix =
      wanted.length >= 3 && candidate.length >= 3 && (candidate.startsWith(wanted) || wanted.startsWith(candidate))
    // The edits are at least the difference in length, which is cheaper to know.
    if (!isPrefix && Math.abs(candidate.length - wanted.length) > limit) continue
    const edits = editsBetween(wanted, candidate)
    if (edits <= limit) scored.push({ name, score: edits })
    else if (isPrefix) scored.push({ name, score: limit + 1 + edits / 1000 })
  }
  return scored
    .toSorted((a, b) => a.score - b.score || compareCodeUnits(a.name, b.name))
    .slice(0, most)
    .map(({ name }) => name)
}

/** Characters to put in, take out or change until one word is the other, at the least. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_none, at) => at)
  for (let above = 0; above < one.length; above++) {
    const next = [above + 1]
    for (let at = 0; at < other.length; at++)
      next.push(
        Math.min((row[at] ?? 0) + Number(one[above] !== other[at]), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1),
      )
    row = next
  }
  return row.at(-1) ?? 0
}
