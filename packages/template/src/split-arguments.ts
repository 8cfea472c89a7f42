/**
 * Splits text into words as a POSIX shell does, without expanding anything: white space separates; single quotes keep everything;
 * in double quotes a backslash takes its meaning from `"`, `\`, `$`, a backtick and the end of a line; elsewhere from any
 * character. A quote that nothing closes is an ordinary character, and where there is one, so is every apostrophe between two letters or
 * digits: `don't say 'good bye'` is three words. Takes linear time. See docs/reference.md, "Expansion".
 */
export function splitArguments(text: string): readonly string[] {
  const strict = split(text, false)
  return strict.isBalanced ? strict.words : split(text, true).words
}

const separators = /[ \t\n\r\v\f]+/y
const ordinary = /[^ \t\n\r\v\f\\'"]+/y
const letter = /[\p{L}\p{N}]/u

function split(text: string, sparesApostrophes: boolean): { readonly words: readonly string[]; readonly isBalanced: boolean } {
  const words: string[] = []
  const unclosed = new Set<string>()
  let word: string | undefined
  const take = (part: string): void => {
    word = (word ?? '') + part
  }
  for (let at = 0; at < text.length;) {
    const character = text.charAt(at)
    const plain = matchAt(ordinary, text, at)
    const space = plain === '' ? matchAt(separators, text, at) : ''
    if (plain !== '') take(plain)
    else if (space !== '') {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (character === '\\') {
      // At the very end it is itself; before the end of a line both are nothing.
      const next = text.charAt(at + 1)
      if (next !== '\n') take(next || character)
      at += 1
    } else {
      const isApostrophe = sparesApostrophes && character === "'" && letter.test(text.charAt(at - 1)) && letter.test(text.charAt(at + 1))
      // After one that is not closed no later one of its kind is, so that the rest is searched only once.
      const quoted = isApostrophe || unclosed.has(character) ? undefined : quotedAt(text, at)
      take(quoted?.text ?? character)
      if (quoted === undefined && !isApostrophe) unclosed.add(character)
      at = quoted?.end ?? at
    }
    at += Math.max(plain.length + space.length, 1)
  }
  if (word !== undefined) words.push(word)
  return { words, isBalanced: unclosed.size === 0 }
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

/** What the quotes at a position hold, and where the closing one is; undefined without one. */
function quotedAt(text: string, at: number): { readonly text: string; readonly end: number } | undefined {
  if (text.charAt(at) === "'") {
    const end = text.indexOf("'", at + 1)
    return end < 0 ? undefined : { text: text.slice(at + 1, end), end }
  }
  const within = matchAt(inDoubleQuotes, text, at + 1)
  const end = at + 1 + within.length
  return text.charAt(end) === '"' ? { text: within.replace(escaped, (_, kept: string) => kept === '\n' ? '' : kept), end } : undefined
}

const inDoubleQuotes = /(?:[^"\\]+|\\[^])*/y
const escaped = /\\(["\\$`\n])/g
