/**
 * Returns the column of the quote that ends a quoted scalar on this line, or -1.
 * @param start column of the opening quote, or -1 if it is on an earlier line
 * @param quote code of the quote if `start` is -1
 */
export function findQuoteEnd(line: string, start: number, quote = line.charCodeAt(start)): number {
  for (let at = start + 1; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (code === 92 && quote === 34) at++
    else if (code === quote) {
      if (quote === 39 && line.charCodeAt(at + 1) === 39) at++
      else return at
    }
  }
  return -1
}

/** Returns the last line that has a character, or -1. */
export function lastLineWith(lines: readonly string[], character: string): number {
  for (let at = lines.length - 1; at >= 0; at--) if (lines[at]!.includes(character)) return at
  return -1
}

/**
 * Returns the place where the bracket that opens at a place closes, or undefined if it does not.
 * @param maxLines number of lines after the first that are examined
 */
export function findFlowEnd(
  lines: readonly string[],
  line: number,
  column: number,
  maxLines: number,
): { readonly line: number; readonly column: number } | undefined {
  let depth = 0
  let quote = 0
  for (let row = line; row < lines.length && row - line <= maxLines; row++) {
    const text = lines[row]!
    let at = row === line ? column : 0
    if (quote !== 0) {
      const end = findQuoteEnd(text, -1, quote)
      if (end === -1) continue
      quote = 0
      at = end + 1
    }
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === 91 || code === 123) depth++
      else if (code === 93 || code === 125) {
        depth--
        if (depth === 0) return { line: row, column: at }
      } else if ((code === 34 || code === 39) && opensHere(text, at)) {
        const end = findQuoteEnd(text, at)
        if (end === -1) {
          quote = code
          break
        }
        at = end
      } else if (code === 35 && (at === 0 || isSpace(text.charCodeAt(at - 1)))) {
        break
      }
    }
  }
  return undefined
}

/** Returns true if a quote opens here. It can do so only where a value may begin; elsewhere it is an apostrophe. */
function opensHere(text: string, at: number): boolean {
  let before = at - 1
  while (before >= 0 && isSpace(text.charCodeAt(before))) before--
  return before < 0 || '[{,:'.includes(text[before]!)
}

function isSpace(code: number): boolean {
  return code === 32 || code === 9
}
