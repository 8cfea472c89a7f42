import type { FrontmatterData } from '../types.js'
import { isNullWord, readWords, scalarOfLine, words } from './scalar.js'
import { ScalarReader } from './scalar-reader.js'

const LINE_FEED = 10
const SPACE = 32
const DOUBLE_QUOTE = 34
const HASH = 35
const SINGLE_QUOTE = 39
const HYPHEN = 45
const BRACKET = 91

/** Deeper nesting is left to the full parser. */
const maxDepth = 16

// Most lines are one of these. They are expressions, since those run as machine code from the first file on, while a loop is still
// interpreted; and without groups to capture, since collecting them would cost more than finding them.

const keyWithColon = String.raw`[A-Za-z_][\w./-]*:`
const plainKey = new RegExp(String.raw`${keyWithColon}(?=[ \n])`, 'y')

/** A key, and on its line a text, or a list of words in brackets. */
const pairLine = new RegExp(String.raw`${keyWithColon} (?:${scalarOfLine}|\[${words}\])\n`, 'y')

/** What follows the dash of a list, up to the line's end. */
const itemLine = new RegExp(String.raw`${scalarOfLine}\n`, 'y')

/**
 * Reads the text of a block line by line. Every method answers undefined as soon as a line is anything it does not know for certain.
 */
export class FlatReader extends ScalarReader {
  readDocument(): FrontmatterData | undefined {
    const data = this.readMap(0, 0)
    return data !== undefined && this.at === this.end ? data : undefined
  }

  /** Reads the pairs that stand exactly `indent` spaces in, up to the first line that stands further out. */
  private readMap(indent: number, depth: number): FrontmatterData | undefined {
    const { text } = this
    const data: FrontmatterData = {}
    while (this.at < this.end) {
      const start = this.skipSpaces(this.at)
      const first = text.charCodeAt(start)
      if (first === LINE_FEED) {
        this.at = start + 1
        continue
      }
      if (start - this.at !== indent) return start - this.at < indent ? data : undefined
      if (first === HASH) {
        this.at = text.indexOf('\n', start) + 1
        continue
      }
      if (!this.readPair(data, start, indent, depth)) return undefined
    }
    return data
  }

  /** Reads the pair whose key begins at `start` into a map whose keys stand `indent` spaces in; false when it is not sure. */
  private readPair(data: FrontmatterData, start: number, indent: number, depth: number): boolean {
    const { text } = this
    pairLine.lastIndex = start
    const isLine = pairLine.test(text)
    const colon = isLine ? text.indexOf(':', start) : this.endOfKey(start)
    if (colon === -1) return false
    const key = text.slice(start, colon)
    // Inherited members too: `constructor`, `toString` and `__proto__` are all the full parser's business.
    if (data[key] !== undefined || key === 'prototype' || isNullWord(key)) return false
    const value = (isLine ? this.readLine(colon + 2, pairLine.lastIndex, indent) : undefined) ?? this.readValue(colon + 1, indent, depth)
    if (value === undefined) return false
    data[key] = value
    return true
  }

  /** Reads a value that fills the rest of its line, up to `next`; undefined when it takes a closer look. */
  private readLine(start: number, next: number, indent: number): string | unknown[] | undefined {
    const { text } = this
    if (!this.isOver(next, indent)) return undefined
    const first = text.charCodeAt(start)
    const isQuoted = first === DOUBLE_QUOTE || first === SINGLE_QUOTE
    const value = isQuoted ? text.slice(start + 1, next - 2) : first === BRACKET ? readWords(text.slice(start + 1, next - 2)) : this.plainLine(text.slice(start, next - 1))
    if (value !== undefined) this.at = next
    return value
  }

  private plainLine(value: string): string | undefined {
    return this.isPlain(value) && !isNullWord(value) ? value : undefined
  }

  /** Whether the line that begins at `next` does not go on with what stands `indent` spaces in. */
  private isOver(next: number, indent: number): boolean {
    const start = this.skipSpaces(next)
    return start - next <= indent && this.text.charCodeAt(start) !== LINE_FEED
  }

  /** Position of the colon that ends the key at `start`, or -1 when it is not surely a key. */
  private endOfKey(start: number): number {
    plainKey.lastIndex = start
    return plainKey.test(this.text) ? plainKey.lastIndex - 1 : -1
  }

  /** Reads what follows a key's colon at `at`: the rest of its line, and the lines that belong to it. */
  private readValue(at: number, indent: number, depth: number): unknown {
    const { text } = this
    const start = this.skipSpaces(at)
    const lineEnd = text.indexOf('\n', start)
    const first = text.charCodeAt(start)
    this.at = lineEnd + 1
    if (first === LINE_FEED) return this.readNested(indent, depth)
    if (first === 62 || first === 124) return this.readBlockScalar(text.slice(start, this.trimEnd(lineEnd)), indent)
    return this.readScalar(start, lineEnd, indent)
  }

  /** Reads what stands on the lines after a key that has nothing on its own. */
  private readNested(indent: number, depth: number): unknown {
    const { text } = this
    let start = this.skipSpaces(this.at)
    let first = text.charCodeAt(start)
    while (first === LINE_FEED || first === HASH) {
      this.at = text.indexOf('\n', start) + 1
      start = this.skipSpaces(this.at)
      first = text.charCodeAt(start)
    }
    if (this.at >= this.end) return null
    const own = start - this.at
    if (first === HYPHEN && own >= indent && text.charCodeAt(start + 1) === SPACE) return this.readList(own, indent, depth)
    if (own <= indent) return null
    if (depth >= maxDepth) return undefined
    if (this.endOfKey(start) !== -1) return this.readMap(own, depth + 1)
    const lineEnd = text.indexOf('\n', start)
    this.at = lineEnd + 1
    const end = this.trimEnd(lineEnd)
    return first === DOUBLE_QUOTE || first === SINGLE_QUOTE ? this.readQuoted(start, end, indent) : this.readPlain(start, end, indent)
  }

  /** Reads `- ` items standing `indent` spaces in, below a key that stands `outer` spaces in: scalars, or maps of pairs. */
  private readList(indent: number, outer: number, depth: number): unknown[] | undefined {
    const { text } = this
    const list: unknown[] = []
    while (this.at < this.end) {
      const start = this.skipSpaces(this.at)
      const first = text.charCodeAt(start)
      if (first === LINE_FEED || first === HASH) {
        this.at = text.indexOf('\n', start) + 1
        continue
      }
      const own = start - this.at
      if (own < indent || (own === outer && first !== HYPHEN)) return own > outer ? undefined : list
      if (own > indent || first !== HYPHEN || text.charCodeAt(start + 1) !== SPACE) return undefined
      const value = this.readItem(this.skipSpaces(start + 1), indent, depth)
      if (value === undefined) return undefined
      list.push(value)
    }
    return list
  }

  private readItem(start: number, indent: number, depth: number): unknown {
    itemLine.lastIndex = start
    const line = itemLine.test(this.text) ? this.readLine(start, itemLine.lastIndex, indent) : undefined
    if (line !== undefined) return line
    const lineEnd = this.text.indexOf('\n', start)
    if (this.endOfKey(start) === -1) {
      this.at = lineEnd + 1
      return this.readScalar(start, lineEnd, indent)
    }
    if (depth >= maxDepth) return undefined
    // The first pair stands behind the dash, the others below it in the same column.
    const own = start - this.at
    const data: FrontmatterData = {}
    if (!this.readPair(data, start, own, depth + 1)) return undefined
    const rest = this.readMap(own, depth + 1)
    if (rest === undefined) return undefined
    for (const key in rest) {
      if (data[key] !== undefined) return undefined
      data[key] = rest[key]
    }
    return data
  }
}
