import { isNullWord } from './scalar.js'
import type { FrontmatterData } from '../types.js'

/**
 * One line: a key in the first column or two spaces in, and nothing, a plain text or a quoted one. What a plain text must not
 * hold is checked apart. One expression, since it runs as machine code from the first file on; without groups to capture,
 * since collecting them would cost more than finding them.
 */
const line = /(?: {2})?[A-Za-z_][\w./-]*:(?: (?:[A-Za-z0-9][^\n]*[^\s:]|"[^"\\\n]*"|'[^'\n]*'))?\n/y

const SPACE = 32
const DOUBLE_QUOTE = 34
const SINGLE_QUOTE = 39

/**
 * Reads a block of nothing but one-line pairs and maps of such, which most blocks are. Undefined when there is anything else.
 * @param text as {@link FlatBlock} has it: one character follows the last line
 */
export function readPairs(text: string): FrontmatterData | undefined {
  // A comment, perhaps.
  if (text.includes(' #')) return undefined
  const end = text.length - 1
  const data: FrontmatterData = {}
  /** The map that lines two spaces in belong to, and its key. */
  let map: FrontmatterData | undefined
  let opener = ''
  let colon = text.indexOf(': ')
  for (let at = 0, next = 0; at < end; at = next) {
    line.lastIndex = at
    if (!line.test(text)) return undefined
    next = line.lastIndex
    const isInner = text.charCodeAt(at) === SPACE
    if (colon === -1 || colon >= next) {
      // Nothing behind the colon: a map, if the next line is further in.
      opener = text.slice(at, next - 2)
      if (isInner || isTaken(data, opener)) return undefined
      data[opener] = null
      map = {}
      continue
    }
    // Each `: ` of the text must be that of a key; a further one would end a plain text.
    const start = isInner ? at + 2 : at
    const target = isInner ? map : data
    if (colon < start || target === undefined) return undefined
    const key = text.slice(start, colon)
    if (isTaken(target, key)) return undefined
    const first = text.charCodeAt(colon + 2)
    const isQuoted = first === DOUBLE_QUOTE || first === SINGLE_QUOTE
    const value = isQuoted ? text.slice(colon + 3, next - 2) : text.slice(colon + 2, next - 1)
    if (!isQuoted && isNullWord(value)) return undefined
    target[key] = value
    if (isInner) data[opener] = map
    else map = undefined
    colon = text.indexOf(': ', colon + 2)
  }
  return colon === -1 ? data : undefined
}

/** Keys that are given, inherited (`constructor`, `toString`, `__proto__`) or mean nothing at all: the full parser's business. */
function isTaken(data: FrontmatterData, key: string): boolean {
  return data[key] !== undefined || key === 'prototype' || isNullWord(key)
}
