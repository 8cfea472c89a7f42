import truncatedWidth from 'fast-string-truncated-width'

/**
 * Characters that a terminal obeys instead of showing, that disguise a text as another one, or that are invisible:
 * controls, lone surrogates, bidirectional marks, separators, fillers and tags. Joiners and the variation selectors of
 * emoji are left out: emoji and some scripts need them.
 */
const unsafe =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u2800\ufff9-\ufffb]|(?!\p{Join_Control}|[\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu

/** Text whose characters take one cell each and join no other. */
const plain = /^[\x20-\x7e]*$/

/** Replaces each unsafe character of a text. */
export function replaceUnsafe(text: string, instead: (found: string) => string): string {
  return text.replace(unsafe, instead)
}

/** Makes text of a file or an error safe to print: unsafe characters are shown as numbers, such as `<U+001B>`. */
export function printable(text: string): string {
  return replaceUnsafe(text, found => `<U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`)
}

/** Does the same as {@link printable} on one line: runs of white space become one space. */
export function printableLine(text: string): string {
  return printable(text.replace(/\s+/g, ' ').trim())
}

/** Returns the number of cells that a text takes on a terminal. */
export function widthOf(text: string): number {
  return truncatedWidth(text).width
}

/** Cuts a text to at most `cells` cells, the ellipsis included. */
export function cut(text: string, cells: number): string {
  if (cells <= 0) return ''
  const { index, truncated } = truncatedWidth(text, { limit: cells, ellipsis: '…', ellipsisWidth: 1 })
  if (!truncated) return text
  // The library's cut is right only if every character takes one cell. Otherwise it may split the last character.
  const start = plain.test(text.slice(0, index + 1)) ? text.slice(0, index) : firstCells(text, cells - 1)
  return `${start.trimEnd()}…`
}

/** Returns as many whole graphemes as fit. */
function firstCells(text: string, cells: number): string {
  let left = cells
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    left -= widthOf(segment)
    if (left < 0) return text.slice(0, index)
  }
  return text
}

/** Appends spaces until a text takes `cells` cells. */
export function pad(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - widthOf(text)))
}
