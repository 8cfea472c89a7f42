import truncatedWidth from 'fast-string-truncated-width'

/**
 * Characters that a terminal obeys instead of showing, that make a text look like another one, or that are invisible:
 * controls, halves of characters, bidirectional marks, separators, fillers and tags. Joiners and the variation
 * selectors of emoji stay: emoji and some scripts need them.
 */
const unsafe =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]|(?!\p{Join_Control}|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu

/** One cell for each character, and nothing that joins another one. */
const plain = /^[\x20-\x7e]*$/

/** The text with another one in place of each such character. */
export function replaceUnsafe(text: string, instead: (found: string) => string): string {
  return text.replace(unsafe, instead)
}

/** Text of a file or an error, safe to print: what a terminal would obey is shown as its number, as in `<U+001B>`. */
export function printable(text: string): string {
  return replaceUnsafe(text, found => `<U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`)
}

/** The same on one line, runs of white space as one space. */
export function printableLine(text: string): string {
  return printable(text.replace(/\s+/g, ' ').trim())
}

/** Cells that a text takes on a terminal. */
export function widthOf(text: string): number {
  return truncatedWidth(text).width
}

/** The text in at most `cells` cells, its end as `…` when it is longer. */
export function cut(text: string, cells: number): string {
  if (cells <= 0) return ''
  const { index, truncated } = truncatedWidth(text, { limit: cells, ellipsis: '…', ellipsisWidth: 1 })
  if (!truncated) return text
  // Where the library would cut is right for characters of one cell alone; what follows may be a part of the last one.
  const start = plain.test(text.slice(0, index + 1)) ? text.slice(0, index) : firstCells(text, cells - 1)
  return `${start.trimEnd()}…`
}

/** As many whole characters as there is room for, each as people count them. */
function firstCells(text: string, cells: number): string {
  let left = cells
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    left -= widthOf(segment)
    if (left < 0) return text.slice(0, index)
  }
  return text
}

/** The text with spaces up to `cells` cells. */
export function pad(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - widthOf(text)))
}
