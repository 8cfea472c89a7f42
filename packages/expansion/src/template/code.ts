/** Places of Markdown code in a text. Offsets are in UTF-16 code units. */
export interface CodeMap {
  /** True if a position is in a fenced block, after the fence's first character. */
  isFenced(at: number): boolean
  /** True if a position is between the backticks of a code span. */
  isCode(at: number): boolean
}

interface Fence {
  readonly mark: string
  readonly length: number
  /** Number of block quotes around it. */
  readonly quotes: number
  readonly start: number
}

// A fence may be indented by any amount, since a list may be around it, and may stand in a block quote or in a list
// item's first line.
const opening = /^((?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*)(`{3,}(?!`)|~{3,})/
// As strict as the end of a fence of commands. If one of the two accepted a line that the other does not, text would be
// searched again and again.
const closing = /^[ \t>]*(`{3,}|~{3,})[ \t]*\r?$/
const quotePrefix = /^[ \t>]*/

/**
 * Finds fenced blocks and code spans in linear time. An unclosed block reaches to the end of the text or of its block
 * quote. Backticks are text if no run of equally many backticks follows. See docs/reference/expansion.md, "Expansion".
 */
export function findCode(text: string): CodeMap {
  const fenced = new Ranges()
  const spans = new Ranges()
  let fence: Fence | undefined
  let paragraph: number | undefined
  const endParagraph = (end: number): void => {
    if (paragraph !== undefined) addSpans(text, paragraph, end, spans)
    paragraph = undefined
  }
  for (let start = 0; start < text.length;) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const line = fence?.quotes || hasMarks(text, start, end) ? text.slice(start, end) : ''
    if (fence !== undefined && quotesOf(line) < fence.quotes) {
      fenced.add(fence.start + 1, start)
      fence = undefined
    }
    if (fence !== undefined) {
      if (isClosing(line, fence)) {
        fenced.add(fence.start + 1, end)
        fence = undefined
      }
    } else {
      const [before, marks] = line === '' ? [] : openingIn(line)
      if (before !== undefined && marks !== undefined) {
        endParagraph(start)
        fence = {
          mark: marks.charAt(0),
          length: marks.length,
          quotes: before.split('>').length - 1,
          start: start + before.length,
        }
      } else if (isBlank(text, start, end)) endParagraph(start)
      else paragraph ??= start
    }
    start = end + 1
  }
  if (fence !== undefined) fenced.add(fence.start + 1, text.length)
  endParagraph(text.length)
  return { isFenced: at => fenced.covers(at), isCode: at => spans.covers(at) }
}

/** Ranges in order, without overlap. Kept as two lists of numbers, since a hostile text has millions. */
class Ranges {
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  /** Index of the first range that ends after the last queried position: most queries come in order. */
  #next = 0

  /** @param end exclusive */
  add(start: number, end: number): void {
    this.#starts.push(start)
    this.#ends.push(end)
  }

  covers(at: number): boolean {
    const ends = this.#ends
    let low = this.#next
    if (low > 0 && (ends[low - 1] ?? 0) > at) low = 0
    for (let steps = 0; steps < 8 && low < ends.length && (ends[low] ?? 0) <= at; steps += 1) low += 1
    for (let high = ends.length; low < high && (ends[low] ?? 0) <= at;) {
      const middle = (low + high) >>> 1
      if ((ends[middle] ?? 0) > at) high = middle
      else low = middle + 1
    }
    this.#next = low
    return low < ends.length && (this.#starts[low] ?? 0) <= at
  }
}

/** True if the first characters of a line allow a fence to begin or end in it. */
function hasMarks(text: string, start: number, end: number): boolean {
  let at = start
  while (at < end && beforeMarks.includes(text.charAt(at))) at += 1
  return at < end && (text.charAt(at) === '`' || text.charAt(at) === '~')
}

const beforeMarks = ' \t>-*+.)0123456789'

function isBlank(text: string, start: number, end: number): boolean {
  let at = start
  while (at < end && isWhite(text, at)) at += 1
  return at === end
}

function isWhite(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code <= 32 || code > 127 ? /\s/.test(text.charAt(at)) : false
}

/**
 * Returns the text before the marks of a fence, and the marks. Backticks followed by another backtick on their line do
 * not open a fence.
 */
function openingIn(line: string): readonly [before?: string, marks?: string] {
  const [whole = '', before, marks] = opening.exec(line) ?? []
  if (before === undefined || marks === undefined) return []
  return marks.startsWith('`') && line.includes('`', whole.length) ? [] : [before, marks]
}

/** True if a line closes a fence. A line at another depth of block quotes does not. */
function isClosing(line: string, { mark, length, quotes }: Fence): boolean {
  const marks = closing.exec(line)?.[1]
  return quotesOf(line) === quotes && marks !== undefined && marks.startsWith(mark) && marks.length >= length
}

function quotesOf(line: string): number {
  const prefix = quotePrefix.exec(line)?.[0] ?? ''
  return prefix.includes('>') ? prefix.split('>').length - 1 : 0
}

/** Adds the code spans of one paragraph: a run of backticks is closed by the next run of its length. */
function addSpans(text: string, from: number, to: number, spans: Ranges): void {
  const starts: number[] = []
  const ends: number[] = []
  for (let start = text.indexOf('`', from); start >= 0 && start < to;) {
    let end = start + 1
    while (end < to && text.charCodeAt(end) === 96) end += 1
    starts.push(start)
    ends.push(end)
    start = text.indexOf('`', end)
  }
  // From the last run to the first: for each, the next run of its length; 0 if there is none.
  const closers = new Int32Array(starts.length)
  const nextOfLength: number[] = []
  for (let run = starts.length - 1; run >= 0; run -= 1) {
    const [start, end] = [starts[run] ?? 0, ends[run] ?? 0]
    // A backslash takes the first backtick of an opening run. Before a closing run it is plain text.
    closers[run] = nextOfLength[end - start - (isEscaped(text, start, from) ? 1 : 0)] ?? 0
    nextOfLength[end - start] = run
  }
  for (let opener = 0; opener < starts.length; opener += 1) {
    const closer = closers[opener] ?? 0
    if (closer === 0) continue
    spans.add(ends[opener] ?? 0, starts[closer] ?? 0)
    opener = closer
  }
}

/** True if an odd number of backslashes stands before a position. */
export function isEscaped(text: string, at: number, from = 0): boolean {
  let start = at
  while (start > from && text.charAt(start - 1) === '\\') start -= 1
  return (at - start) % 2 === 1
}
