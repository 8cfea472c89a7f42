// Made when first needed: most texts are plain ASCII, where each code unit is a character.
let segmenter: Intl.Segmenter | undefined

/** Splits a text into graphemes, the characters that a reader sees. */
export function graphemesIn(text: string): Intl.Segments {
  return (segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })).segment(text)
}

/** Mark at the end of a cut text. */
export const ellipsis = '…'

/**
 * Cuts a text to at most `most` UTF-16 code units, the ellipsis included. Never splits a grapheme, which a reader sees
 * as one character. Returns an empty string if only the ellipsis would remain.
 * @param text one line
 */
export function cutTo(text: string, most: number): string {
  if (text.length <= most) return text
  const end = boundaryAt(text, most - ellipsis.length)
  return end <= 0 ? '' : text.slice(0, end) + ellipsis
}

/** Returns the last boundary between two graphemes at or before an offset. */
function boundaryAt(text: string, at: number): number {
  // Nothing joins two ASCII characters: line breaks are gone.
  if (at <= 0 || (text.charCodeAt(at - 1) < 0x80 && text.charCodeAt(at) < 0x80)) return at
  return graphemesIn(text).containing(at)?.index ?? at
}
