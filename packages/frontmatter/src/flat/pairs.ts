import type { FrontmatterData } from '../types.js'

/**
 * One line: a key in the first column or two spaces in, and nothing, a plain text or a quoted one. What a plain text must not
 * hold is checked apart, once for all lines. One expression, since it runs as machine code from the first file on.
 */
const line = /(?:([A-Za-z_][\w./-]*)|  ([A-Za-z_][\w./-]*)):(?: (?:([A-Za-z0-9][^\n]*[^\s:])|"([^"\\\n]*)"|'([^'\n]*)'))?\n/y

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
  for (let at = 0; at < end; at = line.lastIndex) {
    line.lastIndex = at
    const found = line.exec(text)
    if (found === null) return undefined
    const [, outer, inner, plain, double, single] = found
    const value = plain ?? double ?? single
    if (value === undefined) {
      // Nothing behind the colon: a map, if the next line is further in.
      if (outer === undefined || data[outer] !== undefined || outer === 'prototype') return undefined
      data[outer] = null
      opener = outer
      map = {}
      continue
    }
    const key = outer ?? inner ?? ''
    // Each `: ` of the text must be that of a key; a further one would end a plain text.
    if (colon !== at + key.length + (outer === undefined ? 2 : 0)) return undefined
    colon = text.indexOf(': ', colon + 2)
    if (plain !== undefined && plain.length === 4 && (plain === 'null' || plain === 'Null' || plain === 'NULL')) return undefined
    if (outer === undefined && map === undefined) return undefined
    const target = outer === undefined ? map : data
    // Inherited members too: `constructor`, `toString` and `__proto__` are all the full parser's business.
    if (target === undefined || target[key] !== undefined || key === 'prototype' || isNullWord(key)) return undefined
    target[key] = value
    if (outer === undefined) data[opener] = map
    else map = undefined
  }
  return colon === -1 ? data : undefined
}

/** A key that YAML takes for nothing at all. */
function isNullWord(key: string): boolean {
  return key.length === 4 && (key === 'null' || key === 'Null' || key === 'NULL')
}
