// Made when first needed: most texts are plain ASCII, where every character stands by itself.
let segmenter: Intl.Segmenter | undefined

/** Where the characters of a text begin, as a reader sees them. */
export function graphemesIn(text: string): Intl.Segments {
  return (segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })).segment(text)
}

/** The mark of a text that goes on. */
export const ellipsis = '…'

/**
 * The text in at most `most` UTF-16 code units, its end as `…` when it is longer; never a part of what a reader sees as
 * one character. Empty when nothing but the mark would be left.
 * @param text on one line
 */
export function cutTo(text: string, most: number): string {
  if (text.length <= most) return text
  const end = boundaryAt(text, most - ellipsis.length)
  return end <= 0 ? '' : text.slice(0, end) + ellipsis
}

/** The last boundary between two characters at or before an offset. */
function boundaryAt(text: string, at: number): number {
  // Nothing joins two ASCII characters: line breaks are gone.
  if (at <= 0 || (text.charCodeAt(at - 1) < 0x80 && text.charCodeAt(at) < 0x80)) return at
  return graphemesIn(text).containing(at)?.index ?? at
}
