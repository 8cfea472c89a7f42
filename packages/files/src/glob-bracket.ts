/** Character classes as git has them, as ranges of first and last character; ASCII only. */
const classes: Readonly<Record<string, readonly string[]>> = {
  alnum: ['09', 'AZ', 'az'],
  alpha: ['AZ', 'az'],
  blank: ['  ', '\t\t'],
  cntrl: ['\0\x1f', '\x7f\x7f'],
  digit: ['09'],
  graph: ['!~'],
  lower: ['az'],
  print: [' ~'],
  punct: ['!/', ':@', '[`', '{~'],
  space: ['  ', '\t\n', '\r\r'],
  upper: ['AZ'],
  xdigit: ['09', 'AF', 'af'],
}

/** Set of characters between brackets in a pattern. */
export interface Bracket {
  /** Index of the closing bracket. */
  readonly end: number
  has(code: number): boolean
}

/**
 * Reads the bracket that begins at `start`, as git does. Returns undefined for a bracket that never ends or that names
 * an unknown class.
 */
export function readBracket(pattern: string, start: number, foldsCase: boolean): Bracket | undefined {
  const isNegated = pattern[start + 1] === '!' || pattern[start + 1] === '^'
  const first = start + (isNegated ? 2 : 1)
  const ranges: (readonly [from: number, to: number])[] = []
  /** Last member, with which a range could begin. */
  let before: string | undefined
  for (let at = first; at < pattern.length; at++) {
    let member = pattern[at] ?? ''
    if (member === ']' && at > first) return bracketOf(ranges, isNegated, foldsCase, at)
    if (member === '-' && before !== undefined && at + 1 < pattern.length && pattern[at + 1] !== ']') {
      if (pattern[++at] === '\\') at++
      ranges.push([before.charCodeAt(0), pattern.charCodeAt(at)])
      before = undefined
      continue
    }
    if (pattern.startsWith('[:', at)) {
      const end = pattern.indexOf(']', at + 2)
      if (end < 0) return undefined
      if (end > at + 2 && pattern[end - 1] === ':') {
        const named = Object.entries(classes).find(([name]) => name === pattern.slice(at + 2, end - 1))
        if (named === undefined) return undefined
        for (const range of named[1]) ranges.push([range.charCodeAt(0), range.charCodeAt(1)])
        before = undefined
        at = end
        continue
      }
    }
    if (member === '\\') member = pattern[++at] ?? ''
    ranges.push([member.charCodeAt(0), member.charCodeAt(0)])
    before = member
  }
  return undefined
}

function bracketOf(
  ranges: readonly (readonly [from: number, to: number])[],
  isNegated: boolean,
  foldsCase: boolean,
  end: number,
): Bracket {
  const isIn = (code: number): boolean => ranges.some(([from, to]) => code >= from && code <= to)
  // The path is in lower case then, but a range may be in upper case.
  const has = foldsCase
    ? (code: number) => isIn(code) || isIn(String.fromCharCode(code).toUpperCase().charCodeAt(0))
    : isIn
  return { end, has: code => has(code) !== isNegated }
}
