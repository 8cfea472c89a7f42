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
 * Replaces each bracket of a pattern by a `?`, so that a slash in a bracket does not divide the path. Returns undefined
 * for an unclosed bracket or an unknown class; such a pattern matches nothing in git.
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

/** Returns where the bracket that begins at `start` ends. Its first member is always a member, even `]`. */
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
