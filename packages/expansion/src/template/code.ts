/** Where a text has code, as a reader of Markdown sees it. Offsets are in UTF-16 code units. */
export interface CodeMap {
  /** Whether a position lies in a fenced block; the fence's own first character does not. */
  isFenced(at: number): boolean
  /** Whether it lies between the backticks of a span. */
  isCode(at: number): boolean
}

interface Fence {
  readonly mark: string
  readonly length: number
  /** How many block quotes it stands in. */
  readonly quotes: number
  readonly start: number
}

// Indented by any amount, since a list may be around it, in block quotes, and in the first line of a list item.
const opening = /^((?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*)(`{3,}(?!`)|~{3,})/
// As strict as what ends a fence of commands: one that ends for one of them alone would be looked through again and
// again.
const closing = /^[ \t>]*(`{3,}|~{3,})[ \t]*\r?$/
const quotePrefix = /^[ \t>]*/

/**
 * Finds fenced blocks and code spans, each once and in linear time. A block that nothing closes goes to the end of the
 * text, or of the block quote that it stands in; backticks without others to close them are text. See
 * docs/reference/expansion.md, "Expansion".
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

/** Stretches in order, without overlap. In two lists of numbers: a hostile text has millions of them. */
class Ranges {
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  /** The first that ends behind the position that was asked for last: most are asked for in order. */
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

/** Whether a line may begin or end a fence, as far as its first characters tell. */
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
 * What stands before the marks of a fence, and the marks. Backticks with another one behind them in their line open
 * none.
 */
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
  // From the last on: for each the next one of its length, 0 for none.
  const closers = new Int32Array(starts.length)
  const nextOfLength: number[] = []
  for (let run = starts.length - 1; run >= 0; run -= 1) {
    const [start, end] = [starts[run] ?? 0, ends[run] ?? 0]
    // A backslash takes the first backtick of a run that opens, but is itself text in a span.
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

/** Whether an odd number of backslashes stands before a position. */
export function isEscaped(text: string, at: number, from = 0): boolean {
  let start = at
  while (start > from && text.charAt(start - 1) === '\\') start -= 1
  return (at - start) % 2 === 1
}
