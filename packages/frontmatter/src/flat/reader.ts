import { knownFields } from '../fields/field-table.js'
import type { FrontmatterData } from '../types.js'
import { isNullWord } from './scalar.js'
import { characterTable, isPlainAscii, ScalarReader } from './scalar-reader.js'

const LINE_FEED = 10
const SPACE = 32
const HASH = 35
const HYPHEN = 45
const COLON = 58

/** Deeper nesting is left to the full parser. */
const maxDepth = 16

/** Keys that are met often; of one of them it need not be checked character by character that it is a plain key. */
const commonKeys: ReadonlyMap<string, string> = new Map(
  [...knownFields.flatMap((field) => field.names), 'author', 'tags', 'triggers', 'category', 'origin', 'homepage', 'short-description']
    .map((key): [string, string] => [key, key]),
)

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_'
const keyStart = characterTable(letters)
const keyCharacter = characterTable(`${letters}0123456789-./`)

/**
 * Reads the text of a block line by line. Every method answers undefined as soon as a line is anything it does not know for certain.
 */
export class FlatReader extends ScalarReader {
  /** Position of the first `: ` at or behind the line that is being read. */
  private colon = -1

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
    if (this.colon < start) {
      const colon = text.indexOf(': ', start)
      this.colon = colon === -1 ? this.end : colon
    }
    let end = this.colon
    // The next `: ` is that of a later line when this key has nothing behind its colon, and too far away when it is no key.
    let key = end - start <= 64 ? commonKeys.get(text.slice(start, end)) : undefined
    if (key === undefined) {
      end = this.endOfKey(start)
      if (end === -1) return false
      key = text.slice(start, end)
    }
    // Inherited members too: `constructor`, `toString` and `__proto__` are all the full parser's business.
    if (data[key] !== undefined || key === 'prototype') return false
    const value = this.readSimple(end + 1) ?? this.readValue(end + 1, indent, depth)
    if (value === undefined) return false
    data[key] = value
    return true
  }

  /** The commonest value: one space behind the colon at `at`, plain, on one line, nothing that needs a closer look; else undefined. */
  private readSimple(at: number): string | undefined {
    const { text } = this
    const start = at + 1
    if (text.charCodeAt(at) !== SPACE || !isPlainAscii(text.charCodeAt(start))) return undefined
    const end = text.indexOf('\n', start)
    const next = text.charCodeAt(end + 1)
    const last = text.charCodeAt(end - 1)
    if (this.hasComment || next === SPACE || next === LINE_FEED || last === SPACE || last === COLON || end - start < 5) return undefined
    const colon = text.indexOf(': ', start)
    if (colon !== -1 && colon < end) return undefined
    this.colon = colon === -1 ? this.end : colon
    this.at = end + 1
    return text.slice(start, end)
  }

  /** Position of the colon that ends the key at `start`, or -1 when it is not surely a key. */
  private endOfKey(start: number): number {
    const { text } = this
    if (keyStart[text.charCodeAt(start)] !== 1) return -1
    let end = start + 1
    while (keyCharacter[text.charCodeAt(end)] === 1) end++
    if (text.charCodeAt(end) !== COLON) return -1
    const after = text.charCodeAt(end + 1)
    if (after !== SPACE && after !== LINE_FEED) return -1
    return end - start === 4 && isNullWord(text.slice(start, end)) ? -1 : end
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
    return this.readPlain(start, this.trimEnd(lineEnd), indent)
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
