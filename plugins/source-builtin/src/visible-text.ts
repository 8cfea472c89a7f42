import truncatedWidth from 'fast-string-truncated-width'

/**
 * Characters that a terminal obeys instead of showing, and those that make a text look like another one. Joiners stay:
 * emoji and some scripts need them.
 */
const unsafe = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** Text of a file on one line, safe to print: white space as one space, what a terminal would obey as `<U+001B>`. */
export function visible(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
    .replace(unsafe, found => `<U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`)
}

/** Cells that a text takes on a terminal. */
export function widthOf(text: string): number {
  return truncatedWidth(text).width
}

/** The text with spaces up to `cells` cells. */
export function pad(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - widthOf(text)))
}

/** The text in at most `cells` cells, its end as `…` when it is longer. */
export function cut(text: string, cells: number): string {
  const { index, ellipsed } = truncatedWidth(text, { limit: cells, ellipsis: '…', ellipsisWidth: 1 })
  return index >= text.length ? text : `${text.slice(0, index).trimEnd()}${ellipsed ? '…' : ''}`
}
