/** Separator of tools: commas, and also white space unless it is one of the comma values. */
export type ToolSeparator = 'comma-or-space' | 'comma' | 'bare-comma' | undefined

/**
 * Splits at commas and spaces outside of round brackets, and at nothing else. Other white space becomes part of a tool,
 * which then allows nothing.
 */
export function splitExactly(text: string): string[] {
  return splitTools(text, 'comma').flatMap(part => {
    const tools: string[] = []
    let [depth, tool] = [0, '']
    for (const char of part) {
      if (char === '(') depth++
      else if (char === ')') depth = Math.max(0, depth - 1)
      if (char === ' ' && depth === 0) {
        tools.push(tool)
        tool = ''
      } else tool += char
    }
    return [...tools, tool].filter(one => one !== '')
  })
}

/**
 * Splits a list that was written as one text. Does not split inside round brackets, as in `Bash(git add:*, git status)
 * Read`. Takes time in proportion to the text.
 * @param separator whether white space separates too, or only commas
 */
export function splitTools(text: string, separator: ToolSeparator = 'comma-or-space'): string[] {
  return separator === 'comma-or-space' && plainTools.test(text)
    ? (text.match(plainTool) ?? [])
    : splitAtTopLevel(text, separator)
}

// Nested brackets and text beyond ASCII go to the loop below, which takes ten times as long for the first thousand
// texts.
const plainTools = /^(?:[ \t-\r!-'*-~]|\([ -'*-~]*\))*$/
const plainTool = /(?:[!-'*+\--~]|\([ -'*-~]*\))+/g

/** Splits any text, character by character. */
export function splitAtTopLevel(text: string, separator: ToolSeparator): string[] {
  const tools: string[] = []
  const spaces = separator === 'comma-or-space'
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 40) depth++
    else if (code === 41) depth = Math.max(0, depth - 1)
    else if (depth === 0 && (code === 44 || (spaces && isSpace(code)))) {
      pushTrimmed(tools, text, start, at)
      start = at + 1
    }
  }
  pushTrimmed(tools, text, start, text.length)
  return tools
}

/**
 * Splits gitignore-style patterns at commas. Does not split inside braces, as in `src/{a,b}/**`, nor at an escaped
 * comma.
 */
export function splitPaths(text: string): string[] {
  const paths: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 92) at++
    else if (code === 123) depth++
    else if (code === 125) depth = Math.max(0, depth - 1)
    else if (code === 44 && depth === 0) {
      pushTrimmed(paths, text, start, at)
      start = at + 1
    }
  }
  pushTrimmed(paths, text, start, text.length)
  return paths
}

/** Splits names at commas and white space. */
export function splitNames(text: string): string[] {
  return text.split(/[\s,]+/).filter(name => name !== '')
}

// Most texts have no nested brackets, and a loop is still interpreted while the first thousand of them are read.
const roundPairs = /^[^()]*(?:\([^()]*\)[^()]*)*$/
/** Longest text for the expression, which remembers each pair that it passes. */
const longestQuick = 65_536
const curlyPairs = /^[^{}]*(?:\{[^{}]*\}[^{}]*)*$/

/** Returns true if every opening bracket of a kind is closed. */
export function closesBrackets(text: string, kind: '()' | '{}'): boolean {
  if (text.length <= longestQuick && (kind === '()' ? roundPairs : curlyPairs).test(text)) return true
  let depth = 0
  for (const character of text) {
    if (character === kind[0]) depth++
    else if (character === kind[1] && depth > 0) depth--
  }
  return depth === 0
}

function pushTrimmed(list: string[], text: string, start: number, end: number): void {
  const item = text.slice(start, end).trim()
  if (item !== '') list.push(item)
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}
