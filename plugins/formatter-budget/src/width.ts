/** Text in which each UTF-16 code unit takes one column. */
const narrow = /^[ -~]*$/

/** Characters that take two columns. */
const wide =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})/u

/** Characters that take none. */
const invisible = /^[\p{Mn}\p{Me}\p{Cf}]/u

/** Returns the columns that a text takes in a terminal. */
export function widthOf(text: string): number {
  if (narrow.test(text)) return text.length
  let columns = 0
  for (const point of text) columns += invisible.test(point) ? 0 : wide.test(point) ? 2 : 1
  return columns
}
