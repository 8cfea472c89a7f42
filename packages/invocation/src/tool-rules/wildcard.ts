/**
 * Whether a text fits a pattern in which `*` stands for anything, also for nothing, and `?` for one character. Time
 * grows with the product of both lengths at worst; no pattern takes longer than that.
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
      // What failed after the last asterisk is tried one character further on; an earlier one never needs another try.
      inPattern = star + 1
      inText = ++resume
    } else return false
  }
  while (pattern[inPattern] === '*') inPattern++
  return inPattern === pattern.length
}
