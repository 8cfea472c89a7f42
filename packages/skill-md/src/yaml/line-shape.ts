import { fieldOf } from '@skills/core/fields'
import { isBlank, trimLineEnd } from './lines.js'
import { findQuoteEnd } from './value-end.js'

/**
 * Form of a value: none on the key's line, plain, quoted, in brackets, a block scalar, or another one such as an alias.
 */
export type ValueStyle = 'none' | 'plain' | 'double' | 'single' | 'flow' | 'block' | 'other'

/** Start of a line after its indentation: a key with its colon, an item's dash, or neither. */
export type LineShape =
  | {
      readonly kind: 'pair'
      readonly key: string
      /** True if the key is one word without quotes. */
      readonly simple: boolean
      /** Column after the colon. */
      readonly after: number
    }
  | { readonly kind: 'item'; /** Column after the dash. */ readonly after: number }
  | undefined

/**
 * Reads a key or a dash at a column. A key is plain or quoted, and white space or the line's end must follow its colon.
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

/** Reads a known key of skills that is glued to its value or has a full-width colon: `name:deploy`. */
export function gluedKeyAt(line: string): LineShape {
  const key = /^([A-Za-z_-]{1,40})(?::(?=[^\s:/])|\uff1a(?=[ \t]*\S))/.exec(line)?.[1]
  return key === undefined || fieldOf(key) === undefined
    ? undefined
    : { kind: 'pair', key, simple: true, after: key.length + 1 }
}

/** Returns true if a line begins, after its indentation, with a known key of skills. */
export function isKnownKey(line: string, column: number): boolean {
  const key = /^([A-Za-z_-]{1,40}):(?=[ \t]|$)/.exec(line.slice(column, column + 42))?.[1]
  return key !== undefined && fieldOf(key) !== undefined
}

/** Returns the form of the value that begins at a column. */
export function styleAt(line: string, column: number): ValueStyle {
  // An anchor and a tag may precede a value.
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

/** Returns true if a value begins with a reserved character, which makes it invalid YAML. */
export function isReserved(value: string): boolean {
  return /^[@`%]/.test(value)
}

/**
 * Returns true if a plain one-line value has a colon that would make a key of the text before it, which is invalid
 * after a key.
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
    // For an escape that JSON does not have, the key as written is good enough to find a place.
    return key
  }
}
