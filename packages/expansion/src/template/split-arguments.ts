/**
 * Splits text into words as a POSIX shell does, without expanding anything. White space separates words. Text in single
 * quotes is not changed. In double quotes a backslash escapes `"`, `\`, `$`, a backtick and a line end; outside of
 * quotes it escapes any character. An unclosed quote is an ordinary character. If the text has an unclosed quote, every
 * apostrophe between two letters or digits is an ordinary character too: `don't say 'good bye'` is three words. Takes
 * linear time. See docs/reference/expansion.md, "Expansion".
 */
export function splitArguments(text: string): readonly string[] {
  return split(text, false) ?? split(text, true) ?? []
}

const letter = /[\p{L}\p{N}]/u

/**
 * Splits a text. Returns undefined for an unclosed quote if apostrophes count as quotes: the words are then read again
 * without those apostrophes.
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
      // A backslash at the very end is itself; before a line end both are dropped.
      const next = text.charAt(at + 1)
      if (next !== '\n') take(next || character)
      at += 1
    } else {
      const isApostrophe =
        sparesApostrophes && character === "'" && letter.test(text.charAt(at - 1)) && letter.test(text.charAt(at + 1))
      // After an unclosed quote, no later one of its kind is closed either. So the rest is searched only once.
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

/** Returns the text in the quotes at a position and the place of the closing one; undefined if none closes. */
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
