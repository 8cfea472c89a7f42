/**
 * Splits text into words as a POSIX shell does, without expanding anything: white space separates; single quotes keep
 * everything; in double quotes a backslash takes its meaning from `"`, `\`, `$`, a backtick and the end of a line;
 * elsewhere from any character. A quote that nothing closes is an ordinary character, and where there is one, so is
 * every apostrophe between two letters or digits: `don't say 'good bye'` is three words. Takes linear time. See
 * docs/reference/expansion.md, "Expansion".
 */
export function splitArguments(text: string): readonly string[] {
  return split(text, false) ?? split(text, true) ?? []
}

const letter = /[\p{L}\p{N}]/u

/**
 * Undefined where a quote is not closed and apostrophes are not spared: what the words are is known then only when they
 * are.
 */
function split(text: string, sparesApostrophes: boolean): readonly string[] | undefined {
  const words: string[] = []
  const unclosed = new Set<string>()
  let word: string | undefined
  const take = (part: string): void => {
    word = (word ?? '') + part
  }
  for (let at = 0; at < text.length;) {
    const character = text.charAt(at)
    const end = endOfOrdinary(text, at)
    if (end > at) {
      take(text.slice(at, end))
      at = end
      continue
    }
    if (isSeparator(text.charCodeAt(at))) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (character === '\\') {
      // At the very end it is itself; before the end of a line both are nothing.
      const next = text.charAt(at + 1)
      if (next !== '\n') take(next || character)
      at += 1
    } else {
      const isApostrophe =
        sparesApostrophes && character === "'" && letter.test(text.charAt(at - 1)) && letter.test(text.charAt(at + 1))
      // After one that is not closed no later one of its kind is, so that the rest is searched only once.
      const quoted = isApostrophe || unclosed.has(character) ? undefined : quotedAt(text, at)
      take(quoted?.text ?? character)
      if (quoted === undefined && !isApostrophe) unclosed.add(character)
      if (unclosed.size > 0 && !sparesApostrophes) return undefined
      at = quoted?.end ?? at
    }
    at += 1
  }
  if (word !== undefined) words.push(word)
  return words
}

function isSeparator(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13)
}

function endOfOrdinary(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 34 || code === 39 || code === 92 || isSeparator(code)) return at
  }
  return text.length
}

/** What the quotes at a position hold, and where the closing one is; undefined without one. */
function quotedAt(text: string, at: number): { readonly text: string; readonly end: number } | undefined {
  if (text.charAt(at) === "'") {
    const end = text.indexOf("'", at + 1)
    return end < 0 ? undefined : { text: text.slice(at + 1, end), end }
  }
  let end = at + 1
  while (end < text.length && text.charAt(end) !== '"') end += text.charAt(end) === '\\' ? 2 : 1
  if (text.charAt(end) !== '"') return undefined
  return { text: text.slice(at + 1, end).replace(escaped, (_, kept: string) => (kept === '\n' ? '' : kept)), end }
}

const escaped = /\\(["\\$`\n])/g
