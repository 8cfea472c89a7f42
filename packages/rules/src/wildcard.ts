/** Text that rules are compared with. An open rule must contain at least the first `from` characters of the text. */
export interface Candidate {
  readonly text: string
  readonly from: number
  /** True if it only asks a known program about itself, so that a rule need not name the program. */
  readonly isHarmless?: boolean | undefined
}

/**
 * True if a text fits a pattern in which `*` is any text, even none, and `?` one character. Takes at worst time
 * proportional to the product of both lengths.
 */
export function fitsWildcard(text: string, pattern: string): boolean {
  let [inText, inPattern] = [0, 0]
  let [star, resume] = [-1, 0]
  while (inText < text.length) {
    const char = pattern[inPattern]
    if (char === '*') {
      star = inPattern++
      resume = inText
    } else if (char !== undefined && (char === '?' || char === text[inText])) {
      inText++
      inPattern++
    } else if (star >= 0) {
      // After a failure, the last asterisk takes one character more. Earlier asterisks never need another try.
      inPattern = star + 1
      inText = ++resume
    } else return false
  }
  while (pattern[inPattern] === '*') inPattern++
  return inPattern === pattern.length
}

/**
 * True if a command consists of pieces with any text between them, and the pieces contain what decides which program
 * runs: the program or its folder, and every word before `from`.
 */
export function fitsPieces({ text, from, isHarmless }: Candidate, pieces: readonly string[]): boolean {
  const [first = '', ...rest] = pieces
  const last = rest.pop()
  if (last === undefined || !text.startsWith(first)) return false
  let at = first.length
  for (const piece of rest) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  if (text.length - last.length < at || !text.endsWith(last)) return false
  const [name = ''] = text.split(' ', 1)
  const named = text.slice(0, Math.max(from, name.length))
  const folder = first.slice(0, first.lastIndexOf('/') + 1)
  return (
    isHarmless === true ||
    first.length >= named.length ||
    pieces.some(piece => piece === named || piece.startsWith(`${named} `)) ||
    (named === name &&
      folder !== '' &&
      name.startsWith(folder) &&
      !/(?:^|\/)\.\.(?:\/|$)/.test(name.slice(folder.length)))
  )
}
