import { findClose, isNullWord, readFlowList, unquote } from './scalar.js'

const LINE_FEED = 10
const SPACE = 32
const DOUBLE_QUOTE = 34
const SINGLE_QUOTE = 39
const HASH = 35
const COLON = 58

/** A character that begins a plain scalar whatever follows it: many of ASCII, and all beyond it. */
const plainStart = /[\w./\\$<=+^~();\u0080-\uffff]/

/**
 * Reads scalars from the text of a block. Every method answers undefined as soon as a line is anything it does not know for certain.
 * The text is free of tabs, carriage returns and control characters; its lines end with line feeds, and one hyphen follows them.
 */
export class ScalarReader {
  /** Where the next unread line begins. */
  protected at = 0
  /** Where the closing fence begins; the text holds one character more. */
  protected readonly end: number
  protected readonly hasComment: boolean

  constructor(protected readonly text: string) {
    this.end = text.length - 1
    // A search for a space would stop at every word.
    this.hasComment = text.includes('#') && text.includes(' #')
  }

  /** Reads a scalar or a list in brackets that begins at `start`. */
  protected readScalar(start: number, lineEnd: number, indent: number): unknown {
    const { text } = this
    let end = this.trimEnd(lineEnd)
    switch (text.charCodeAt(start)) {
      case DOUBLE_QUOTE:
      case SINGLE_QUOTE:
        return this.readQuoted(start, end, indent)
      case 91: // [
        return readFlowList(text, start, end)
    }
    if (!this.hasComment) return this.readPlain(start, end, indent)
    const comment = text.indexOf(' #', start)
    if (comment === -1 || comment >= lineEnd) return this.readPlain(start, end, indent)
    // Without a space behind it may be part of the text for all its author knows: the full parser has a warning for that.
    if (!this.isComment(comment + 1)) return undefined
    end = this.trimEnd(comment)
    const value = text.slice(start, end)
    const next = this.skipSpaces(this.at)
    // Nothing may continue a value that a comment has ended.
    if (next - this.at > indent || text.charCodeAt(next) === LINE_FEED || !plainStart.test(text.charAt(start)) || !this.isPlain(value)) return undefined
    return isNullWord(value) ? null : value
  }

  /**
   * Reads the quoted scalar at `start`, which may go on over the lines that stand further in than `indent`; a comment may follow it.
   * `end` is where its first line ends, `this.at` the line after it.
   */
  protected readQuoted(start: number, end: number, indent: number): string | undefined {
    const { text } = this
    let close = findClose(text, start, end)
    if (close === -1) {
      close = findClose(text, start, this.end)
      return close === -1 ? undefined : this.readQuotedLines(start, end, close, indent)
    }
    const behind = this.skipSpaces(close + 1)
    if (behind < end && !(behind > close + 1 && text.charCodeAt(behind) === HASH && this.isComment(behind))) return undefined
    return unquote(text, start, close)
  }

  /** The same over several lines, folded; with an escape it is the full parser's business. */
  private readQuotedLines(start: number, firstEnd: number, close: number, indent: number): string | undefined {
    const { text } = this
    let folded = text.slice(start + 1, firstEnd)
    let blank = 0
    let line = this.at
    for (let lineEnd = 0; lineEnd < close;) {
      const at = this.skipSpaces(line)
      lineEnd = text.indexOf('\n', at)
      const isLast = lineEnd > close
      const part = text.slice(at, isLast ? close : this.trimEnd(lineEnd))
      if (part === '' && !isLast) blank++
      else {
        if (at - line <= indent) return undefined
        folded += (blank === 0 ? ' ' : '\n'.repeat(blank)) + part
        blank = 0
      }
      if (isLast && this.trimEnd(lineEnd) !== close + 1) return undefined
      line = lineEnd + 1
    }
    this.at = line
    if (folded.includes('\\') && text.charCodeAt(start) === DOUBLE_QUOTE) return undefined
    return text.charCodeAt(start) === DOUBLE_QUOTE ? folded : folded.replaceAll("''", "'")
  }

  /** Whether a `#` with a space before it surely begins a comment. */
  private isComment(at: number): boolean {
    const behind = this.text.charCodeAt(at + 1)
    return behind === SPACE || behind === HASH || behind === LINE_FEED
  }

  /**
   * Reads the plain scalar at `start`..`end` and the lines that continue it, which stand further in than `indent`.
   * `this.at` is the line after it.
   */
  protected readPlain(start: number, end: number, indent: number): string | null | undefined {
    const { text } = this
    const first = text.slice(start, end)
    if (!plainStart.test(text.charAt(start)) || !this.isPlain(first)) return undefined
    const next = text.charCodeAt(this.at)
    if (next === SPACE || next === LINE_FEED) {
      const rest = this.readContinuation(indent)
      if (rest === undefined) return undefined
      if (rest !== '') return first + rest
    }
    return isNullWord(first) ? null : first
  }

  /** The lines that continue a plain scalar, folded: what joins them included, empty when there are none. */
  private readContinuation(indent: number): string | undefined {
    const { text } = this
    let folded = ''
    let blank = 0
    for (let line = this.at; line < this.end;) {
      const start = this.skipSpaces(line)
      const lineEnd = text.indexOf('\n', start)
      const own = start - line
      line = lineEnd + 1
      if (start === lineEnd) {
        blank++
        continue
      }
      if (own <= indent) break
      const part = text.slice(start, this.trimEnd(lineEnd))
      if (text.charCodeAt(start) === HASH || !this.isPlain(part)) return undefined
      folded += (blank === 0 ? ' ' : '\n'.repeat(blank)) + part
      blank = 0
      this.at = line
    }
    return folded
  }

  /** Reads the lines of a `|` or `>` scalar whose header is exactly the mark and at most a chomping sign. */
  protected readBlockScalar(header: string, indent: number): string | undefined {
    const chomp = header.slice(1)
    if (chomp !== '' && chomp !== '-' && chomp !== '+') return undefined
    const folding = header.charCodeAt(0) === 62
    const { text } = this
    const inner = this.skipSpaces(this.at) - this.at
    // A first line that is blank makes the indentation a matter of interpretation.
    if (inner <= indent || text.charCodeAt(this.at + inner) === LINE_FEED) return undefined
    let value = ''
    let blank = 0
    let moreIndented = false
    let started = false
    while (this.at < this.end) {
      const start = this.skipSpaces(this.at)
      const lineEnd = text.indexOf('\n', start)
      const own = start - this.at
      if (start === lineEnd && own <= inner) {
        blank++
        this.at = lineEnd + 1
        continue
      }
      if (own < inner) {
        // Between the two indentations nothing may stand.
        if (own > indent) return undefined
        break
      }
      if (folding && own > inner) {
        moreIndented = true
        value += '\n'.repeat(started ? blank + 1 : blank)
      } else if (folding && moreIndented) {
        moreIndented = false
        value += '\n'.repeat(blank + 1)
      } else if (folding) {
        value += blank > 0 ? '\n'.repeat(blank) : started ? ' ' : ''
      } else {
        value += '\n'.repeat(started ? blank + 1 : blank)
      }
      value += text.slice(this.at + inner, lineEnd)
      started = true
      blank = 0
      this.at = lineEnd + 1
    }
    if (chomp === '-') return value
    return value + '\n'.repeat(chomp === '+' ? blank + 1 : 1)
  }

  /** Whether nothing in a line ends a plain scalar. */
  protected isPlain(line: string): boolean {
    return !line.includes(': ') && !(this.hasComment && line.includes(' #')) && line.charCodeAt(line.length - 1) !== COLON
  }

  protected skipSpaces(at: number): number {
    const { text } = this
    while (text.charCodeAt(at) === SPACE) at++
    return at
  }

  protected trimEnd(end: number): number {
    const { text } = this
    while (text.charCodeAt(end - 1) === SPACE) end--
    return end
  }
}
