/** Bytes between the fences beyond which a block is refused. */
export const maxFrontmatterBytes = 65_536

const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const HASH = 35
const HYPHEN = 45

const fence = Buffer.from('\n---')

// Everything that looks at single characters here is left to searches and expressions that run as machine code from the
// first file on: a loop of our own is still interpreted while the first thousand files go by.

const printableAscii = /^[\n\u0020-\u007e]*$/
/** What a text must not hold for the flat path: controls, line separators of Unicode, and what broken UTF-8 decodes to. */
// oxlint-disable-next-line no-control-regex -- these are the characters to be found
const unsureCharacter = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffd-\uffff]|\r(?!\n)/

/** Whether a text holds what takes a closer look, whichever way its lines end. */
export function isUnsure(text: string): boolean {
  return unsureCharacter.test(text)
}

export interface FlatBlock {
  /**
   * The text between the fences, each line with its line feed, and the first hyphen of the closing fence:
   * reading past the end of a string is slow, and with it nobody has to.
   */
  readonly text: string
  readonly bodyStart: number
}

/**
 * Finds a block that is fenced in the plainest way and decodes its bytes alone: a slice of a longer string would keep all of it alive.
 * @param head the file's first bytes
 * @param length how many bytes of `head` are the file's
 * @param whole whether the file ends there
 */
export function scanFlat(head: Buffer, length: number, whole: boolean): FlatBlock | undefined {
  if (length < 7 || head[0] !== HYPHEN || head[1] !== HYPHEN || head[2] !== HYPHEN) return undefined
  const first = head[3] === CARRIAGE_RETURN ? 4 : 3
  if (head[first] !== LINE_FEED) return undefined
  const at = head.indexOf(fence, first)
  let end = at + 4
  // What lies behind the file's bytes is of another file.
  if (at === -1 || end > length) return undefined
  if (end < length && head[end] === CARRIAGE_RETURN) end++
  // A fence that ends with the bytes is one only where the file ends too.
  if (end < length ? head[end] !== LINE_FEED : !whole || head[end - 1] !== HYPHEN) return undefined
  if (at - first > maxFrontmatterBytes) return undefined
  const text = decode(head, first + 1, at + 2)
  return text === undefined ? undefined : { text, bodyStart: end < length ? end + 1 : end }
}

/** Whether the bytes begin with a heading and are plain text throughout: such a file surely has no frontmatter. */
export function isFlatProse(head: Buffer, length: number): boolean {
  return length > 0 && head[0] === HASH && decode(head, 0, length) !== undefined
}

/** What `toString` calls once it has found out which encoding is meant; for short texts that takes a quarter of its time. */
interface Slices {
  latin1Slice(start: number, end: number): string
  utf8Slice(start: number, end: number): string
}

function decode(head: Buffer, start: number, end: number): string | undefined {
  const slices = head as Buffer & Slices
  const ascii = slices.latin1Slice(start, end)
  if (printableAscii.test(ascii)) return ascii
  const text = slices.utf8Slice(start, end)
  if (isUnsure(text)) return undefined
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text
}
