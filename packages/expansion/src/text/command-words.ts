const separators = /[ \t]/
const ends = /[|&;<>\n`]/

/**
 * Returns the words of the first command of a text, as a shell would read it without expanding anything. The command
 * ends at `|`, `&`, `;`, `<`, `>`, a backtick, a `#` that begins a word, or the end of a line. Parentheses with their
 * content and `${name}` are left out. In double quotes a backslash stays. A text with an unclosed quote is one word.
 */
export function commandWords(text: string): readonly string[] {
  const words: string[] = []
  let word: string | undefined
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (separators.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (ends.test(character) || (character === '#' && word === undefined)) break
    else if (character === "'" || character === '"') {
      const end = closing(text, at)
      if (end < 0) return [text]
      word = (word ?? '') + text.slice(at + 1, end)
      at = end
    } else if (character === '(' || text.startsWith('${', at)) {
      const end = text.indexOf(character === '(' ? ')' : '}', at)
      if (end < 0) break
      at = end
    } else {
      // A backslash at the very end is dropped.
      if (character === '\\') at += 1
      word = (word ?? '') + text.charAt(at)
    }
  }
  if (word !== undefined) words.push(word)
  return words
}

/** Returns where the quote that begins at a position ends; below 0 if it is not closed. */
function closing(text: string, start: number): number {
  const quote = text.charAt(start)
  let end = start + 1
  while (end < text.length && text.charAt(end) !== quote) end += quote === '"' && text.charAt(end) === '\\' ? 2 : 1
  return text.charAt(end) === quote ? end : -1
}
