/** Number of blank lines in a row after which no one expects more text. */
const blankLines = 100
/** Number of blanks in a row within a line that push the rest off every screen. */
const blankColumns = 200
/** Length of a line in UTF-16 code units that no screen shows completely. */
const longLine = 5000

/** Place where a text continues but a reader would not see that it does. */
export interface Padding {
  readonly kind: 'lines' | 'columns' | 'long'
  /** Number of blank lines or columns, or length of the line. */
  readonly count: number
  /** Start of the text that follows, in UTF-16 code units. */
  readonly at: number
}

/**
 * Returns the first place of each kind where a text continues but a reader would not see that it does: after many blank
 * lines, after many blanks in a line, or in a very long line. Takes time in proportion to the text.
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
        // The bar at the end of a table row is not text.
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

/** Blanks of any width, and invisible characters. */
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

/** Returns the index of the last letter or digit of a line, or one before its start if it has none. */
function lastWord(text: string, start: number, end: number): number {
  let at = end - 1
  while (at >= start && !/[\p{L}\p{N}\p{Cs}]/u.test(text.charAt(at))) at--
  return at
}
