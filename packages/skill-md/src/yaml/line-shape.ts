import { fieldOf } from '@skills/core/fields'
import { isBlank, trimLineEnd } from './lines.js'
import { findQuoteEnd } from './value-end.js'

/**
 * How a value is written: nothing on the key's line, plain, quoted, in brackets, as a block scalar, or an alias or the
 * like.
 */
export type ValueStyle = 'none' | 'plain' | 'double' | 'single' | 'flow' | 'block' | 'other'

/** What a line begins with behind its indentation: a key with its colon, an item's dash, or neither. */
export type LineShape =
  | {
      readonly kind: 'pair'
      readonly key: string
      /** Whether the key is one word without quotes. */
      readonly simple: boolean
      /** Column behind the colon. */
      readonly after: number
    }
  | { readonly kind: 'item'; /** Column behind the dash. */ readonly after: number }
  | undefined

/**
 * Reads a key or a dash at a column. A key is plain or quoted, and its colon stands before white space or the line's
 * end.
 */
export function shapeAt(line: string, column: number): LineShape {
  const first = line.charCodeAt(column)
  if (first === 45 && (column + 1 === line.length || isBlank(line.charCodeAt(column + 1))))
    return { kind: 'item', after: column + 1 }
  if (first === 34 || first === 39) {
    const end = findQuoteEnd(line, column)
    const colon = end === -1 ? -1 : skipBlanks(line, end + 1)
    if (colon === -1 || !isColon(line, colon)) return undefined
    const key = line.slice(column + 1, end)
    return {
      kind: 'pair',
      key: first === 39 ? key.replaceAll("''", "'") : unescapeKey(key),
      simple: false,
      after: colon + 1,
    }
  }
  if (column < line.length && '[]{}#&*!|>%@`,?'.includes(line[column]!)) return undefined
  for (let at = line.indexOf(':', column); at !== -1; at = line.indexOf(':', at + 1)) {
    if (!isColon(line, at)) continue
    const key = trimLineEnd(line.slice(column, at))
    if (key === '' || key.includes(' #')) return undefined
    return { kind: 'pair', key, simple: /^[A-Za-z_][\w./-]*$/.test(key), after: at + 1 }
  }
  return undefined
}

/** A key that a skill may have, glued to its value, or with a full-width colon: `name:deploy`. */
export function gluedKeyAt(line: string): LineShape {
  const key = /^([A-Za-z_-]{1,40})(?::(?=[^\s:/])|\uff1a(?=[ \t]*\S))/.exec(line)?.[1]
  return key === undefined || fieldOf(key) === undefined
    ? undefined
    : { kind: 'pair', key, simple: true, after: key.length + 1 }
}

/** Whether a line begins, behind its indentation, with a key that a skill may have. */
export function isKnownKey(line: string, column: number): boolean {
  const key = /^([A-Za-z_-]{1,40}):(?=[ \t]|$)/.exec(line.slice(column, column + 42))?.[1]
  return key !== undefined && fieldOf(key) !== undefined
}

/** How the value that begins at a column is written. */
export function styleAt(line: string, column: number): ValueStyle {
  // An anchor and a tag may stand before a value.
  const text = line.slice(column).replace(/^(?:(?:&[^\s,[\]{}]+|![^\s,[\]{}]*)(?:[ \t]+|$)){1,2}/, '')
  switch (text[0]) {
    case undefined:
    case '#':
      return 'none'
    case '"':
      return 'double'
    case "'":
      return 'single'
    case '[':
    case '{':
      return 'flow'
    case '|':
    case '>':
      return 'block'
    case '*':
    case '&':
    case '!':
    case '%':
    case '@':
    case '`':
      return 'other'
    default:
      return 'plain'
  }
}

/** Whether a value begins with a reserved character, which makes it invalid YAML. */
export function isReserved(value: string): boolean {
  return /^[@`%]/.test(value)
}

/**
 * Whether a plain value of one line holds a colon that would make a key of what is before it, which is no YAML behind a
 * key.
 */
export function holdsColon(value: string): boolean {
  const colon = value.search(/:(?:[ \t]|$)/)
  const comment = value.search(/[ \t]#/)
  return colon !== -1 && (comment === -1 || colon < comment)
}

export function skipBlanks(line: string, column: number): number {
  while (column < line.length && isBlank(line.charCodeAt(column))) column++
  return column
}

function isColon(line: string, at: number): boolean {
  return line.charCodeAt(at) === 58 && (at + 1 === line.length || isBlank(line.charCodeAt(at + 1)))
}

function unescapeKey(key: string): string {
  if (!key.includes('\\')) return key
  try {
    const value: unknown = JSON.parse(`"${key}"`)
    return typeof value === 'string' ? value : key
  } catch {
    // An escape that JSON does not have: the key is only used to find a place, so it may stay as it is written.
    return key
  }
}
