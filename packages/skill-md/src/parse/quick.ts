import { isNullWord } from '../yaml/null-word.js'
import type { FrontmatterData } from '../types.js'

// One expression decides whether the meaning of each line in YAML is certain; then the lines are put together without
// another look at their characters. It runs as machine code from the second file on, while a loop of our own would
// still be interpreted after the first thousand files. A text matches it in at most one way, so failing takes time in
// proportion to the length.

/** Text without quotes. A ` #` in it would begin a comment, and a `: ` a map. */
const plain = String.raw`[\w./\\$<=+^~();\u0080-\uffff][^:#\n]*(?:(?::(?![ \n])|(?<! )#)[^:#\n]*)*`
const quoted = String.raw`"(?:[^"\\\n]|\\["\\/bfnrt]|\\u[\dA-Ca-cE-Fe-f][\da-fA-F]{3})*"|'(?:[^'\n]|'')*'|"[^"\\\n]*\n[^"\\]*"|'[^'\n]*\n[^']*'(?!')`
const word = String.raw`(?:[\w./()\u00a0-\uffff](?:[\w ./+()<>?*\u00a0-\uffff-]|:(?=[\w*/.]))*|"[^"\\\n]*" *|'[^'\n]*' *)`
const listPattern = String.raw`\[ *(?:${word}(?:, *${word})*)?\]`
/** Comment. Without a space after its sign it may be meant as text, which the full parser warns about. */
const commentPattern = String.raw`#(?=[ #\n]).*`
const textPattern = `(?:(?:${quoted}|${listPattern})(?: +${commentPattern}| *)|${plain}(?: ${commentPattern})?)`
/** Lines of a `|` or `>` text. */
const blockPattern = [
  ['l', String.raw`\|`, '.*', ''],
  ['f', '>', ' *[^ \\n].*', ' '],
]
  .map(
    ([name, mark, line, end]) =>
      String.raw`${mark}[-+]?\n(?=(?<${name}>\k<at> +)[^ \n])(?:(?:\k<${name}>${line}|(?!\k<${name}>${end}) *)\n)+(?![ \n])`,
  )
  .join('|')
const key = String.raw`[A-Za-z_][\w./-]*:`
const sureLines = new RegExp(
  String.raw`^(?: *(?:#.*)?\n|(?<at> *)(?:- )?${key}(?: ?\n| (?:${textPattern}\n|${blockPattern}))|(?: *- | +)${textPattern}\n)*-$`,
)

const wordsOfList = /"([^"]*)"|'([^']*)'|[^ ,][^,]*/g
const quotedText = /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/y
const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const SPACE = 32
const QUOTE = 34
const HASH = 35
const APOSTROPHE = 39
const HYPHEN = 45
const UPPER_A = 65
const ANGLE = 62
const BRACKET = 91
const BAR = 124

/** Most bytes between the fences; a larger block is refused. */
export const maxFrontmatterBytes = 65_536

const fence = Buffer.from('\n---')
const printableAscii = /^[\n\u0020-\u007e]*$/
/**
 * Characters that the quick reader does not accept: controls, line separators of Unicode, and the results of decoding
 * broken UTF-8.
 */
// oxlint-disable-next-line no-control-regex -- these are the characters to be found
const unsureCharacter = /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffd-\uffff]|\r(?!\n)/

/** Frontmatter that the quick reader could read with certainty. */
export interface QuickHead {
  readonly data: FrontmatterData
  /** Offset in bytes of the body's first byte. */
  readonly bodyStart: number
}

/**
 * Reads frontmatter without the YAML library, if the result is certain to be that of the full parser and has no
 * diagnostics, as for nearly every file. Otherwise returns undefined. See docs/reference/fields.md, "Frontmatter".
 * @param head the file's first bytes
 * @param isWhole true if the file ends there
 */
export function readQuickHead(head: Buffer, isWhole: boolean): QuickHead | undefined {
  const { length } = head
  if (length < 7 || head[0] !== HYPHEN || head[1] !== HYPHEN || head[2] !== HYPHEN) return undefined
  const first = head[3] === CARRIAGE_RETURN ? 4 : 3
  if (head[first] !== LINE_FEED) return undefined
  const at = head.indexOf(fence, first)
  if (at === -1 || at - first > maxFrontmatterBytes) return undefined
  let end = at + 4
  if (head[end] === CARRIAGE_RETURN) end++
  // A fence at the end of the bytes counts only if the file ends there too.
  if (end < length ? head[end] !== LINE_FEED : !isWhole || head[end - 1] !== HYPHEN) return undefined
  const block = decode(head, first + 1, at + 2)
  const data = block === undefined ? undefined : readQuickly(block)
  return data === undefined ? undefined : { data, bodyStart: end < length ? end + 1 : end }
}

/** Methods that `toString` calls once it knows the encoding. For short texts they take a quarter of its time. */
interface Slices {
  latin1Slice(start: number, end: number): string
  utf8Slice(start: number, end: number): string
}

/** Decodes only these bytes: a slice of a longer text would keep all of it in memory. */
function decode(head: Buffer, start: number, end: number): string | undefined {
  const slices = head as Buffer & Slices
  const ascii = slices.latin1Slice(start, end)
  if (printableAscii.test(ascii)) return ascii
  const text = slices.utf8Slice(start, end)
  if (unsureCharacter.test(text)) return undefined
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text
}

/**
 * Reads lines that another program's reader found between its fences. Returns undefined if there are none. Numbers,
 * booleans and dates stay the text that was written.
 */
export function readQuickBlock(lines: string): FrontmatterData | undefined {
  if (lines.length > maxFrontmatterBytes || (!printableAscii.test(lines) && unsureCharacter.test(lines)))
    return undefined
  const text = lines.includes('\r') ? lines.replaceAll('\r\n', '\n') : lines
  const data = readQuickly(text.endsWith('\n') ? `${text}-` : `${text}\n-`)
  return data === undefined || Object.keys(data).length === 0 ? undefined : data
}

/**
 * Returns a YAML library's result for a block if it is certain without the library; otherwise undefined.
 * @param block its lines with their line feeds, and the first hyphen of the closing fence
 */
function readQuickly(block: string): FrontmatterData | undefined {
  if (!sureLines.test(block)) return undefined
  // Searching for `#` first is quicker: a search that begins with a space would stop at every word.
  const hasComment = block.includes('#') && block.includes(' #')
  const data: FrontmatterData = {}
  // Most lines are a key and a text. Reading them without a call for each takes half the time.
  let at = 0
  for (const end = block.length - 1; at < end;) {
    const first = block.charCodeAt(at)
    if (first < UPPER_A) break
    const colon = block.indexOf(':', at)
    const next = block.indexOf('\n', colon) + 1
    const begin = block.charCodeAt(colon + 2)
    if (
      hasComment ||
      colon + 3 >= next ||
      block.charCodeAt(next) === SPACE ||
      begin < UPPER_A ||
      begin === BRACKET ||
      begin === BAR
    )
      break
    const name = block.slice(at, colon)
    // Inherited members too: `constructor`, `toString` and `__proto__` are left to the full parser.
    if (data[name] !== undefined || isOddKey(name)) return undefined
    data[name] = scalarOf(block.slice(colon + 2, next - 1))
    at = next
  }
  return at === block.length - 1 ? data : new QuickReader(block, at, hasComment).read(data)
}

function isOddKey(name: string): boolean {
  return name === 'prototype' || (name.length < 5 && isNullWord(name))
}

/** Each method returns undefined if the meaning of the lines together is not certain. */
class QuickReader {
  /** Offset of the hyphen; reading past the end of a text is slow. */
  private readonly end: number

  /** @param at start of the next line to be read */
  constructor(
    private readonly text: string,
    private at: number,
    private readonly hasComment: boolean,
  ) {
    this.end = text.length - 1
  }

  read(data: FrontmatterData): FrontmatterData | undefined {
    return this.readMap(0, data) !== undefined && this.at === this.end ? data : undefined
  }

  /** Reads the pairs whose keys are indented by `indent` spaces, up to a line with less indentation. */
  private readMap(indent: number, data: FrontmatterData = {}): FrontmatterData | undefined {
    const { text } = this
    for (;;) {
      let start = this.at
      let first = text.charCodeAt(start)
      if (first === SPACE || first === LINE_FEED || first === HASH) {
        start = this.skip()
        first = text.charCodeAt(start)
      }
      if (start - this.at < indent || start === this.end) return data
      if (start - this.at > indent || first === HYPHEN || (indent > 0 && !this.isKey(start))) return undefined
      const colon = text.indexOf(':', start)
      const name = text.slice(start, colon)
      if (data[name] !== undefined || isOddKey(name)) return undefined
      const value = this.readValue(colon + 1, indent)
      if (value === undefined) return undefined
      data[name] = value
    }
  }

  /** Returns true if a key begins there. At the margin every line begins with a key or a dash. */
  private isKey(start: number): boolean {
    const { text } = this
    const first = text.charCodeAt(start)
    if (first === QUOTE || first === APOSTROPHE || first === BRACKET) return false
    const colon = text.indexOf(':', start)
    // A colon in a text or a comment comes after a space or has none behind it; the colon of a key does neither.
    const space = text.indexOf(' ', start)
    const behind = text.charCodeAt(colon + 1)
    return (
      colon !== -1 &&
      colon < text.indexOf('\n', start) &&
      (space === -1 || space > colon) &&
      (behind === SPACE || behind === LINE_FEED)
    )
  }

  /** Reads the value after a colon or a dash. */
  private readValue(at: number, indent: number): unknown {
    const { text } = this
    const lineEnd = text.indexOf('\n', at)
    this.at = lineEnd + 1
    if (lineEnd <= at + 1) return this.readBelow(indent)
    const first = text.charCodeAt(at + 1)
    if (first === QUOTE || first === APOSTROPHE) return this.readQuoted(at + 1, first, indent)
    if (first === BRACKET) return listOf(text.slice(at + 2, text.lastIndexOf(']', lineEnd)))
    if (first === BAR || first === ANGLE) return this.readBlock(text.slice(at + 1, lineEnd), indent)
    if (text.charCodeAt(lineEnd + 1) === SPACE && this.goesOn(indent)) return this.readFolded(at + 1, lineEnd, indent)
    const comment = this.hasComment ? text.indexOf(' #', at) : -1
    return scalarOf(text.slice(at + 1, comment === -1 || comment > lineEnd ? lineEnd : comment))
  }

  /** Reads the lines below a key without a value of its own. */
  private readBelow(indent: number): unknown {
    const start = this.skip()
    const own = start - this.at
    if (own >= indent && this.isItem(start)) return this.readList(own)
    if (own <= indent || start === this.end) return null
    return this.isKey(start) ? this.readMap(own) : this.readValue(start - 1, indent)
  }

  private readList(indent: number): unknown[] | undefined {
    const list: unknown[] = []
    for (let start = this.skip(); start - this.at >= indent && this.isItem(start); start = this.skip()) {
      const own = start - this.at
      if (own > indent) return undefined
      let value: unknown
      if (this.isKey(start + 2)) {
        // The first pair of a map stands behind the dash, the others below it in the same column.
        const colon = this.text.indexOf(':', start)
        const name = this.text.slice(start + 2, colon)
        const first = isOddKey(name) || name in Object.prototype ? undefined : this.readValue(colon + 1, own + 2)
        value = first === undefined ? undefined : this.readMap(own + 2, { [name]: first })
      } else value = this.readValue(start + 1, own)
      if (value === undefined) return undefined
      list.push(value)
    }
    return list
  }

  /** Goes to the next line with content. Returns the end of its indentation. */
  private skip(): number {
    const { text } = this
    for (;;) {
      const start = this.startOf(this.at)
      const first = text.charCodeAt(start)
      if (first !== LINE_FEED && first !== HASH) return start
      this.at = text.indexOf('\n', start) + 1
    }
  }

  private startOf(line: number): number {
    let start = line
    while (this.text.charCodeAt(start) === SPACE) start++
    return start
  }

  private isItem(start: number): boolean {
    return this.text.charCodeAt(start) === HYPHEN && this.text.charCodeAt(start + 1) === SPACE
  }

  /** Returns true if the next line belongs to a text that is indented by `indent` spaces. */
  private goesOn(indent: number): boolean {
    const start = this.startOf(this.at)
    const first = this.text.charCodeAt(start)
    return start - this.at > indent && first !== LINE_FEED && first !== HASH
  }

  /** Reads a plain text with the lines that continue it. */
  private readFolded(start: number, end: number, indent: number): string | undefined {
    let folded = trimSpaces(this.text.slice(this.startOf(start), end))
    if (folded.includes(' #')) return undefined
    while (this.goesOn(indent)) {
      const line = trimSpaces(this.text.slice(this.startOf(this.at), this.text.indexOf('\n', this.at)))
      if (/^["'[-]|: | #|:$/.test(line)) return undefined
      folded += ` ${line}`
      this.at = this.text.indexOf('\n', this.at) + 1
    }
    return folded
  }

  private readBlock(mark: string, indent: number): string | undefined {
    const own = this.startOf(this.at) - this.at
    if (own <= indent) return undefined
    const written: string[] = []
    for (
      let start = this.startOf(this.at);
      start - this.at >= own || this.text.charCodeAt(start) === LINE_FEED;
      start = this.startOf(this.at)
    ) {
      const end = this.text.indexOf('\n', start)
      written.push(this.text.slice(this.at + own, end))
      this.at = end + 1
    }
    const joined = written.join('\n')
    const text = joined.replace(/\n+$/, '')
    const folded = mark.startsWith('|') ? text : foldLines(text)
    return mark.includes('-') ? folded : `${folded}\n${mark.includes('+') ? joined.slice(text.length) : ''}`
  }

  private readQuoted(start: number, quote: number, indent: number): string | undefined {
    const { text } = this
    const end = text.indexOf(quote === QUOTE ? '"' : "'", start + 1)
    const inner = text.slice(start + 1, end)
    const behind = text.charCodeAt(end + 1)
    if ((behind === LINE_FEED || behind === SPACE) && !(quote === QUOTE && inner.includes('\\'))) {
      if (end < this.at) return inner
      this.at = text.indexOf('\n', end) + 1
      return foldQuoted(inner.split('\n'), indent)
    }
    quotedText.lastIndex = start
    if (!quotedText.test(text) || quotedText.lastIndex > this.at) return undefined
    const whole = text.slice(start, quotedText.lastIndex)
    return quote === QUOTE ? String(JSON.parse(whole)) : whole.slice(1, -1).replaceAll("''", "'")
  }
}

/**
 * Folds lines: one line break becomes a space, and of several the first is dropped, unless a line is indented further.
 */
function foldLines(text: string): string {
  let isFurtherIn = false
  return text.split(/(\n+)/).reduce((folded, part, at, parts) => {
    if (at % 2 === 0) return folded + part
    const was = isFurtherIn
    isFurtherIn = parts[at + 1]?.startsWith(' ') === true
    return folded + (was || isFurtherIn ? part : part.length === 1 ? ' ' : part.slice(1))
  }, '')
}

/** Folds a quoted text over several lines, which must be indented further than its key. */
function foldQuoted([first = '', ...lines]: readonly string[], indent: number): string | undefined {
  let folded = trimSpaces(first)
  let blank = 0
  for (const [at, line] of lines.entries()) {
    const isLast = at === lines.length - 1
    const own = line.search(/[^ ]|$/)
    const part = isLast ? line.slice(own) : trimSpaces(line, own)
    if (part === '' && !isLast) blank++
    else {
      if (own <= indent) return undefined
      folded += (blank === 0 ? ' ' : '\n'.repeat(blank)) + part
      blank = 0
    }
  }
  return folded
}

function listOf(written: string): unknown[] {
  return Array.from(written.matchAll(wordsOfList), ([whole, double, single]) => double ?? single ?? scalarOf(whole))
}

/**
 * Trims spaces only: `trim` removes more than YAML's white space, and an expression would take the square of the length
 * of a run of spaces.
 */
function trimSpaces(text: string, start = 0): string {
  let end = text.length
  while (end > start && text.charCodeAt(end - 1) === SPACE) end--
  return text.slice(start, end)
}

function scalarOf(written: string): string | null {
  const text = written.charCodeAt(written.length - 1) === SPACE ? trimSpaces(written) : written
  return text.length < 5 && isNullWord(text) ? null : text
}
