const classes = new Set([
  'alnum',
  'alpha',
  'blank',
  'cntrl',
  'digit',
  'graph',
  'lower',
  'print',
  'punct',
  'space',
  'upper',
  'xdigit',
])

/**
 * A pattern with a `?` for each bracket, so that what stands in one is not taken for parts of a path. Undefined when a
 * bracket never ends or names a class that there is not: git then matches nothing with all of it.
 */
export function withoutBrackets(pattern: string): string | undefined {
  let plain = ''
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === '\\') plain += pattern.slice(at, ++at + 1)
    else if (pattern[at] === '[') {
      const end = bracketEnd(pattern, at)
      if (end === undefined) return undefined
      plain += '?'
      at = end
    } else plain += pattern[at]
  }
  return plain
}

/** Where the bracket ends that begins at `start`. Its first member is always a member, also `]`. */
function bracketEnd(pattern: string, start: number): number | undefined {
  const isNegated = pattern[start + 1] === '!' || pattern[start + 1] === '^'
  const first = start + (isNegated ? 2 : 1)
  for (let at = first; at < pattern.length; at++) {
    if (pattern[at] === ']' && at > first) return at
    if (pattern[at] === '\\') at++
    else if (pattern.startsWith('[:', at)) {
      const end = pattern.indexOf(']', at + 2)
      if (end < 0) return undefined
      if (end === at + 2 || pattern[end - 1] !== ':') continue
      if (!classes.has(pattern.slice(at + 2, end - 1))) return undefined
      at = end
    }
  }
  return undefined
}
