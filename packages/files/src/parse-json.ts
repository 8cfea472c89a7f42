/**
 * Most levels of objects and lists, the outermost included. Far more than a real file has, and far fewer than recursion
 * can handle.
 */
const maxDepth = 100

/** End of a sentence that says why a text from outside is not parsed. */
export const tooDeep = `is nested more than ${maxDepth} levels deep`

/**
 * Parses JSON that comes from outside. Checks the nesting first, because code that handles a value by recursion would
 * fail much later and without naming the text.
 * @throws SyntaxError for a text that is not JSON, or is nested more than 100 levels deep
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new SyntaxError(`it ${tooDeep}`)
  return JSON.parse(text)
}

/** Returns true if a text, taken as JSON, has more levels than allowed. */
export function isTooDeep(text: string): boolean {
  if (text.length <= maxDepth) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at)
        break
      case '[':
      case '{':
        if (++depth > maxDepth) return true
        break
      case ']':
      case '}':
        depth--
    }
  }
  return false
}

/** Returns the index at which a string ends; the end of the text if it does not. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let back = at
    while (text[back - 1] === '\\') back--
    // Each pair of backslashes is one escaped backslash.
    if ((at - back) % 2 === 0) return at
  }
  return text.length
}
