/** Bytes between the fences beyond which a block is refused. */
export const maxFrontmatterBytes = 65_536

const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const HASH = 35
const HYPHEN = 45

/** What a text must not hold for the flat path: controls, line separators of Unicode, and what broken UTF-8 decodes to. */
const unsureCharacter = /[\u007f-\u009f\u2028\u2029\ufeff\ufffd-\uffff]/

export interface FlatBlock {
  /**
   * The text between the fences, each line with its line feed, and the first hyphen of the closing fence:
   * reading past the end of a string is slow, and with it nobody has to.
   */
  readonly text: string
  readonly bodyStart: number
}

const noWords = new Int32Array(0)

/**
 * The buffer that was scanned last, and its words. Files are read into one buffer again and again, and making a view costs more than
 * scanning a short block.
 */
let lastHead: Buffer | undefined
let lastWords: Int32Array<ArrayBufferLike> = noWords

/** Larger buffers are not kept alive. */
const maxKeptBytes = 131_072

/** Where the scan stands: what it has seen on the way. */
let sawWide = false
let sawReturn = false

/**
 * Finds a block that is fenced in the plainest way and decodes its bytes alone: a slice of a longer string would keep all of it alive.
 * @param head the file's first bytes
 * @param length how many bytes of `head` are the file's
 * @param whole whether the file ends there
 */
export function scanFlat(head: Buffer, length: number, whole: boolean): FlatBlock | undefined {
  if (length < 7 || head[0] !== HYPHEN || head[1] !== HYPHEN || head[2] !== HYPHEN) return undefined
  sawWide = false
  sawReturn = false
  let at = head[3] === CARRIAGE_RETURN ? 4 : 3
  if (head[at] !== LINE_FEED) return undefined
  const start = at + 1
  const words = wordsOf(head)
  for (;;) {
    // `at` is a line feed.
    if (head[at + 1] === HYPHEN && head[at + 2] === HYPHEN && head[at + 3] === HYPHEN) break
    at = findLineFeed(head, words, at + 1, length)
    if (at === -1 || at === length) return undefined
  }
  let end = at + 4
  if (end < length && head[end] === CARRIAGE_RETURN) {
    sawReturn = true
    end++
  }
  // A fence that ends with the bytes is one only where the file ends too.
  if (end < length ? head[end] !== LINE_FEED : end > length || !whole) return undefined
  if (at + 1 - start > maxFrontmatterBytes) return undefined
  const text = decode(head, start, at + 2)
  return text === undefined ? undefined : { text, bodyStart: end < length ? end + 1 : end }
}

/** Whether the bytes begin with a heading and are plain text throughout: such a file surely has no frontmatter. */
export function isFlatProse(head: Buffer, length: number): boolean {
  if (length === 0 || head[0] !== HASH) return false
  sawWide = false
  sawReturn = false
  const words = wordsOf(head)
  for (let at = 0; at < length; at++) {
    at = findLineFeed(head, words, at, length)
    if (at === -1) return false
  }
  return !sawWide || decode(head, 0, length) !== undefined
}

/** The next line feed at or behind `at`, `length` when there is none, -1 at a byte that no plain text has. */
function findLineFeed(head: Buffer, words: Int32Array<ArrayBufferLike>, at: number, length: number): number {
  const end = Math.min(words.length, length >> 2)
  for (; at < length; at++) {
    if ((at & 3) === 0) {
      const next = skipPrintable(words, at >> 2, end) << 2
      if (next > at) at = next
      if (at >= length) return length
    }
    const byte = head[at]!
    if (byte > 127) sawWide = true
    else if (byte < 32) {
      if (byte === LINE_FEED) return at
      if (byte !== CARRIAGE_RETURN || at + 1 === length || head[at + 1] !== LINE_FEED) return -1
      sawReturn = true
      return at + 1
    }
  }
  return length
}

/** The first word at or behind `word` with a byte that is a control or beyond ASCII; sixteen bytes are looked at in one step. */
function skipPrintable(words: Int32Array<ArrayBufferLike>, word: number, end: number): number {
  for (; word + 4 <= end; word += 4) {
    const first = words[word]!
    const second = words[word + 1]!
    const third = words[word + 2]!
    const fourth = words[word + 3]!
    const below = (first - 0x20202020) | (second - 0x20202020) | (third - 0x20202020) | (fourth - 0x20202020)
    if (((below | first | second | third | fourth) & 0x80808080) !== 0) break
  }
  for (; word < end; word++) {
    const only = words[word]!
    if ((((only - 0x20202020) | only) & 0x80808080) !== 0) break
  }
  return word
}

function wordsOf(head: Buffer): Int32Array<ArrayBufferLike> {
  if (head === lastHead) return lastWords
  // A view begins at a multiple of four; in any other buffer the bytes are looked at one by one.
  const words = (head.byteOffset & 3) === 0 ? new Int32Array(head.buffer, head.byteOffset, head.length >> 2) : noWords
  if (head.buffer.byteLength <= maxKeptBytes) {
    lastHead = head
    lastWords = words
  }
  return words
}

/** What `toString` calls once it has found out which encoding is meant; for short texts that takes a quarter of its time. */
interface Slices {
  latin1Slice(start: number, end: number): string
  utf8Slice(start: number, end: number): string
}

function decode(head: Buffer, start: number, end: number): string | undefined {
  const slices = head as Buffer & Slices
  let text = sawWide ? slices.utf8Slice(start, end) : slices.latin1Slice(start, end)
  if (sawWide ? unsureCharacter.test(text) : text.includes('\u007f')) return undefined
  if (sawReturn) text = text.replaceAll('\r\n', '\n')
  return text
}
