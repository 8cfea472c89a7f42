export interface DifferenceLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Lines of context around a change. */
const around = 2

/**
 * Returns the lines in which two texts differ: the removed and the added ones, in order. Common lines at the beginning
 * and at the end are left out.
 */
export function differenceOf(before: string, after: string): readonly DifferenceLine[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  if (before === after) return []
  let start = 0
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++
  let end = 0
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const line =
    (kind: DifferenceLine['kind']) =>
    (text: string): DifferenceLine => ({ kind, text: text.replace(/\r$/, '␍') })
  return [
    ...old.slice(Math.max(0, start - around), start).map(line('same')),
    ...inner(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end, old.length - end + around).map(line('same')),
  ]

  function inner(gone: readonly string[], came: readonly string[]): readonly DifferenceLine[] {
    // A repair leaves most lines in place: those that both texts have stay, in order.
    const lines: DifferenceLine[] = []
    const places = new Map<string, number[]>()
    for (const [at, text] of [...came.entries()].toReversed()) {
      const known = places.get(text)
      if (known === undefined) places.set(text, [at])
      else known.push(at)
    }
    let next = 0
    for (const text of gone) {
      const known = places.get(text) ?? []
      while ((known.at(-1) ?? next) < next) known.pop()
      const at = known.at(-1)
      if (at === undefined) lines.push(line('removed')(text))
      else {
        for (const added of came.slice(next, at)) lines.push(line('added')(added))
        lines.push(line('same')(text))
        next = at + 1
      }
    }
    return [...lines, ...came.slice(next).map(line('added'))]
  }
}
