import type { OutlineEntry } from '../yaml/outline.js'
import { indentOf, isBlankLine, trimLine, trimLineEnd } from '../yaml/lines.js'
import { findQuoteEnd } from '../yaml/value-end.js'

/** Text that a value was meant to be, and the fault in how it is written. */
export interface RepairedValue {
  readonly text: string
  readonly code: RepairCode
  /** Completes the sentence "The value of `key` …". */
  readonly found: string
}

export type RepairCode =
  | 'unquoted-text'
  | 'reserved-character'
  | 'text-after-value'
  | 'unclosed-value'
  | 'text-after-block-mark'
  | 'continuation-at-margin'
  | 'invalid-escape'
  | 'tab-indentation'
  | 'glued-key'
  | 'full-width-colon'
  | 'misindented-key'

/**
 * Returns the text that a scalar of invalid YAML was plainly meant to be.
 * @param lines lines of the block
 */
export function repairValue(entry: OutlineEntry, lines: readonly string[]): RepairedValue {
  const first = trimLineEnd(lines[entry.line]!.slice(entry.valueColumn))
  const rest = continuation(entry, lines)
  const atMargin = rest.some(line => isAtMargin(line, entry.column))
  // After an invalid anchor or tag, a quoted text does not count as quoted.
  switch (/^[&!]/.test(first) ? 'other' : entry.style) {
    case 'block':
      return repairBlockScalar(first, rest, atMargin)
    case 'double':
    case 'single':
      return repairQuoted(fold([first, ...rest]), entry.style === 'double' ? 34 : 39, atMargin)
    case 'flow':
      return repairBrackets(fold([first, ...rest]), atMargin)
    case 'other': {
      const found = `begins with \`${first[0]}\`, which has a meaning of its own in YAML`
      return { text: fold([first, ...rest]), code: 'reserved-character', found }
    }
    default: {
      const text = fold(first === '' || entry.style === 'none' ? rest : [first, ...rest])
      if (atMargin) return { text, code: 'continuation-at-margin', found: margin }
      if (/^[@`%]/.test(text))
        return {
          text,
          code: 'reserved-character',
          found: `begins with \`${text[0]}\`, which has a meaning of its own in YAML`,
        }
      const sign = /:(?:[ \t]|$)/.test(text) ? ': ' : / #/.test(text) ? ' #' : undefined
      const found =
        sign === undefined
          ? 'is not valid YAML without quotes'
          : `contains \`${sign}\`, which ends a value without quotes`
      return { text, code: 'unquoted-text', found }
    }
  }
}

const margin = 'continues without indentation, where YAML expects the next key'

/** Returns the lines after the first, without comments at the margin. */
function continuation(entry: OutlineEntry, lines: readonly string[]): string[] {
  return lines.slice(entry.line + 1, entry.last + 1).filter(line => !isMarginComment(line, entry.column))
}

/** Returns true if a line of a value is not indented deeper than its key. */
export function isAtMargin(line: string, column: number): boolean {
  return !isBlankLine(line) && indentOf(line) <= column
}

export function isMarginComment(line: string, column: number): boolean {
  const own = indentOf(line)
  return own <= column && line.charCodeAt(own) === 35
}

function repairBlockScalar(first: string, rest: readonly string[], atMargin: boolean): RepairedValue {
  const literal = first[0] === '|'
  const join = (lines: readonly string[]) => (literal ? dedent(lines).join('\n') : fold(lines))
  if (/^[|>][-+1-9]{0,2}(?:[ \t]+#.*)?$/.test(first)) {
    const text = trimEnd(join(rest)) + (first.includes('-') ? '' : '\n')
    return {
      text,
      code: 'continuation-at-margin',
      found: atMargin ? margin : 'is not indented as a block of text in YAML has to be',
    }
  }
  // A mark without a space after it, as in `>=1.2`, is not a header. Nor is one without lines below it, as in `> 5
  // files`.
  const header = rest.length === 0 ? '' : (/^[|>][-+]?[ \t]+/.exec(first)?.[0] ?? '')
  const text = join([first.slice(header.length), ...rest])
  if (header === '')
    return {
      text,
      code: 'reserved-character',
      found: `begins with \`${first[0]}\`, which has a meaning of its own in YAML`,
    }
  return {
    text,
    code: 'text-after-block-mark',
    found: `begins on the line of its \`${header.trim()}\`, but has to begin on the next line`,
  }
}

function repairQuoted(text: string, quote: number, atMargin: boolean): RepairedValue {
  const sign = quote === 34 ? '"' : "'"
  const end = findQuoteEnd(text, 0, quote)
  if (end === -1)
    return { text: trimLine(text.slice(1)), code: 'unclosed-value', found: `opens with ${sign} and never closes it` }
  const after = trimLine(text.slice(end + 1))
  if (after === '' || after.startsWith('#')) {
    const inner = text.slice(1, end)
    if (atMargin)
      return {
        text: quote === 34 ? unescapeText(inner) : inner.replaceAll("''", "'"),
        code: 'continuation-at-margin',
        found: margin,
      }
    return {
      text: unescapeText(inner),
      code: 'invalid-escape',
      found: 'has a backslash that means nothing in double quotes',
    }
  }
  const found = `continues after its closing ${sign}`
  // `'What's new'`: the outer quotes were meant to enclose all of it.
  const enclosed = text.endsWith(sign) && (isLetter(text[end + 1]) || isSpace(text[end - 1]))
  return { text: enclosed ? text.slice(1, -1) : text, code: 'text-after-value', found }
}

function repairBrackets(text: string, atMargin: boolean): RepairedValue {
  const closes = text.lastIndexOf(text[0] === '[' ? ']' : '}')
  if (closes === -1) return { text, code: 'unclosed-value', found: `opens with \`${text[0]}\` and never closes it` }
  if (atMargin) return { text, code: 'continuation-at-margin', found: margin }
  return {
    text,
    code: 'text-after-value',
    found: `begins with \`${text[0]}\`, but is not a ${text[0] === '[' ? 'list' : 'map'}`,
  }
}

/** Joins lines as YAML does: line breaks become spaces, and blank lines line breaks. */
export function fold(lines: readonly string[]): string {
  let text = ''
  let blank = 0
  for (const line of lines) {
    const part = trimLine(line)
    if (part === '') blank++
    else {
      text += text === '' ? part : (blank === 0 ? ' ' : '\n'.repeat(blank)) + part
      blank = 0
    }
  }
  return text
}

function dedent(lines: readonly string[]): string[] {
  const indents = lines
    .filter(line => !isBlankLine(line))
    .map(indentOf)
    .filter(indent => indent > 0)
  const least = Math.min(...indents.slice(0, 1_000), 1_000)
  return lines.map(line => line.slice(Math.min(least, indentOf(line))))
}

/** Resolves the escapes of JSON; a backslash before any other character stays. */
function unescapeText(inner: string): string {
  return inner.replace(
    /\\(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|([\s\S]))/g,
    (all, unicode?: string, hex?: string, letter?: string) => {
      const digits = unicode ?? hex
      if (digits !== undefined) return String.fromCharCode(Number.parseInt(digits, 16))
      return letter !== undefined ? (escapes[letter] ?? all) : all
    },
  )
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '"': '"',
  '\\': '\\',
  '/': '/',
  ' ': ' ',
}

function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && (text[end - 1] === '\n' || isSpace(text[end - 1]))) end--
  return text.slice(0, end)
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character)
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}
