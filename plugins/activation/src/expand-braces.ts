/**
 * Expands the braces of a pattern: `*.{ts,tsx}` becomes `*.ts` and `*.tsx`. Braces without a comma, unclosed ones and
 * quoted ones (`\{`) are text. Returns at most one pattern more than `most`, so that a caller sees that there are too
 * many.
 */
export function expandBraces(pattern: string, most: number): readonly string[] {
  const group = firstGroup(pattern)
  if (group === undefined) return [pattern]
  const expanded: string[] = []
  for (const alternative of group.alternatives) {
    expanded.push(...expandBraces(group.before + alternative + group.after, most - expanded.length))
    if (expanded.length > most) break
  }
  return expanded
}

interface Group {
  readonly before: string
  readonly alternatives: readonly string[]
  readonly after: string
}

function firstGroup(pattern: string): Group | undefined {
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++
    else if (pattern[at] === '{') {
      const group = groupAt(pattern, at)
      if (group !== undefined) return group
    }
  }
  return undefined
}

function groupAt(pattern: string, start: number): Group | undefined {
  const alternatives: string[] = []
  let depth = 0
  let from = start + 1
  for (let at = start; at < pattern.length; at++) {
    const character = pattern[at]
    if (character === '\\') at++
    else if (character === '{') depth++
    else if (character === ',' && depth === 1) {
      alternatives.push(pattern.slice(from, at))
      from = at + 1
    } else if (character === '}' && --depth === 0) {
      if (alternatives.length === 0) return undefined
      return {
        before: pattern.slice(0, start),
        alternatives: [...alternatives, pattern.slice(from, at)],
        after: pattern.slice(at + 1),
      }
    }
  }
  return undefined
}
