/** Blank lines, one after the other, behind which no one expects anything. */
const blankLines = 100
/** Columns of blanks within a line, behind which what follows is off every screen. */
const blankColumns = 200
/** UTF-16 code units of a line, behind which no screen shows the words that it goes on with. */
const longLine = 5000

/** What a text holds where a person who looks at it does not see it. */
export interface Padding {
  readonly kind: 'lines' | 'columns' | 'long'
  /** How many blank lines or columns, or units of the line. */
  readonly count: number
  /** Where what follows begins, in UTF-16 code units. */
  readonly at: number
}

/**
 * The first place of each kind where a text goes on beyond what a person sees: behind many blank lines, behind many
 * blanks of a line, in a very long line. Its work is in proportion to the text.
 */
export function paddingIn(text: string): readonly Padding[] {
  const found = new Map<Padding['kind'], Padding>()
  let blank = 0
  for (let start = 0; start < text.length;) {
    const end = text.indexOf('\n', start)
    const stop = end < 0 ? text.length : end
    const begin = nextSeen(text, start, stop)
    if (begin === stop) blank++
    else {
      if (blank >= blankLines) add({ kind: 'lines', count: blank, at: begin })
      blank = 0
      let last: number | undefined
      for (let at = start; at < stop && !found.has('columns');) {
        const seen = nextSeen(text, at, stop)
        // The bar that ends the row of a table says nothing.
        if (seen - at >= blankColumns && seen <= (last ??= lastWord(text, start, stop)))
          add({ kind: 'columns', count: seen - at, at: seen })
        at = nextBlank(text, seen, stop)
      }
      if (stop - start > longLine && !found.has('long')) {
        const gap = nextBlank(text, start + longLine, stop)
        const seen = nextSeen(text, gap, stop)
        if (seen < stop) add({ kind: 'long', count: stop - start, at: seen })
      }
    }
    start = stop + 1
  }
  return [...found.values()]

  function add(padding: Padding): void {
    if (!found.has(padding.kind)) found.set(padding.kind, padding)
  }
}

/** Blanks of any width, and what is not seen at all. */
const blanks = /[\s\u2800\u3164\p{Default_Ignorable_Code_Point}]/u

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code <= 0x7e) return code <= 0x20
  return blanks.test(text.charAt(at))
}

function nextSeen(text: string, from: number, end: number): number {
  let at = from
  while (at < end && isBlank(text, at)) at++
  return at
}

function nextBlank(text: string, from: number, end: number): number {
  let at = from
  while (at < end && !isBlank(text, at)) at++
  return at
}

/** Where the last letter or digit of a line stands; before its beginning where it has none. */
function lastWord(text: string, start: number, end: number): number {
  let at = end - 1
  while (at >= start && !/[\p{L}\p{N}\p{Cs}]/u.test(text.charAt(at))) at--
  return at
}
