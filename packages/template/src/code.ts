/** Where a text has code, as a reader of Markdown sees it. Offsets are in UTF-16 code units. */
export interface CodeMap {
  /** Whether a position lies in a fenced block; the fence's own first character does not. */
  isFenced(at: number): boolean
  /** Whether it lies between the backticks of a span. */
  isCode(at: number): boolean
}

/** First and last position of a stretch, the last one exclusive. */
type Range = readonly [start: number, end: number]

interface Fence {
  readonly mark: string
  readonly length: number
  /** How many block quotes it stands in. */
  readonly quotes: number
  readonly start: number
}

// Indented by any amount, since a list may be around it, in block quotes, and in the first line of a list item.
const opening = /^((?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*)(`{3,}(?!`)|~{3,})/
const closing = /^[ \t>]*(`{3,}|~{3,})[ \t\r]*$/
const quotePrefix = /^[ \t>]*/

/**
 * Finds fenced blocks and code spans, each once and in linear time. A block that nothing closes goes to the end of the text, or of the
 * block quote that it stands in; backticks without others to close them are text. See docs/reference.md, "Expansion".
 */
export function findCode(text: string): CodeMap {
  const fenced: Range[] = []
  const spans: Range[] = []
  let fence: Fence | undefined
  let paragraph: number | undefined
  const endParagraph = (end: number): void => {
    if (paragraph !== undefined) addSpans(text, paragraph, end, spans)
    paragraph = undefined
  }
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const line = text.slice(start, end)
    if (fence !== undefined && quotesOf(line) < fence.quotes) {
      fenced.push([fence.start + 1, start])
      fence = undefined
    }
    if (fence !== undefined) {
      if (isClosing(line, fence)) {
        fenced.push([fence.start + 1, end])
        fence = undefined
      }
    } else {
      const [before, marks] = openingIn(line)
      if (before !== undefined && marks !== undefined) {
        endParagraph(start)
        fence = { mark: marks.charAt(0), length: marks.length, quotes: before.split('>').length - 1, start: start + before.length }
      } else if (line.trim() === '') endParagraph(start)
      else paragraph ??= start
    }
    start = end + 1
  }
  if (fence !== undefined) fenced.push([fence.start + 1, text.length])
  endParagraph(text.length)
  return { isFenced: at => covers(fenced, at), isCode: at => covers(spans, at) }
}

/** What stands before the marks of a fence, and the marks. Backticks with another one behind them in their line open none. */
function openingIn(line: string): readonly [before?: string, marks?: string] {
  const [whole = '', before, marks] = opening.exec(line) ?? []
  if (before === undefined || marks === undefined) return []
  return marks.startsWith('`') && line.includes('`', whole.length) ? [] : [before, marks]
}

/** A line of another block quote than the fence's closes it as little as it opens one. */
function isClosing(line: string, { mark, length, quotes }: Fence): boolean {
  const marks = closing.exec(line)?.[1]
  return quotesOf(line) === quotes && marks !== undefined && marks.startsWith(mark) && marks.length >= length
}

function quotesOf(line: string): number {
  const prefix = quotePrefix.exec(line)?.[0] ?? ''
  return prefix.includes('>') ? prefix.split('>').length - 1 : 0
}

/** Adds the code spans of one paragraph: a run of backticks goes with the next one of its length. */
function addSpans(text: string, from: number, to: number, spans: Range[]): void {
  const runs: Range[] = []
  const ofLength = new Map<number, number[]>()
  for (let start = text.indexOf('`', from); start >= 0 && start < to;) {
    let end = start + 1
    while (end < to && text.charAt(end) === '`') end += 1
    const indexes = ofLength.get(end - start)
    if (indexes === undefined) ofLength.set(end - start, [runs.length])
    else indexes.push(runs.length)
    runs.push([start, end])
    start = text.indexOf('`', end)
  }
  // How many runs of a length are passed: none is looked at twice.
  const passed = new Map<number, number>()
  for (let opener = 0; opener < runs.length; opener += 1) {
    const [start, end] = runs[opener] ?? [0, 0]
    // A backslash takes the first backtick of a run that opens, but is itself text in a span.
    const length = end - start - (isEscaped(text, start, from) ? 1 : 0)
    const indexes = ofLength.get(length) ?? []
    let next = passed.get(length) ?? 0
    while (next < indexes.length && (indexes[next] ?? 0) <= opener) next += 1
    passed.set(length, next)
    const closer = indexes[next]
    const found = closer === undefined ? undefined : runs[closer]
    if (closer === undefined || found === undefined) continue
    spans.push([end, found[0]])
    opener = closer
  }
}

/** Whether an odd number of backslashes stands before a position. */
export function isEscaped(text: string, at: number, from = 0): boolean {
  let start = at
  while (start > from && text.charAt(start - 1) === '\\') start -= 1
  return (at - start) % 2 === 1
}

/** Whether a position lies in one of some ranges, which are in order and do not overlap. */
function covers(ranges: readonly Range[], at: number): boolean {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ranges[middle]?.[1] ?? 0) > at) high = middle
    else low = middle + 1
  }
  const found = ranges[low]
  return found !== undefined && found[0] <= at
}
