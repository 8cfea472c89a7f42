import truncatedWidth from 'fast-string-truncated-width'

/** Cells that a text takes on a terminal. */
export function widthOf(text: string): number {
  return truncatedWidth(text).width
}

/** The text in at most `cells` cells, its end as `…` when it is longer. */
export function cut(text: string, cells: number): string {
  if (cells <= 0) return ''
  const { index, ellipsed } = truncatedWidth(text, { limit: cells, ellipsis: '…', ellipsisWidth: 1 })
  return index >= text.length ? text : `${text.slice(0, index).trimEnd()}${ellipsed ? '…' : ''}`
}

/** The text with spaces up to `cells` cells. */
export function pad(text: string, cells: number): string {
  return text + ' '.repeat(Math.max(0, cells - widthOf(text)))
}

/** Cells of a column: what its widest text takes, at most `most`; a longer text pushes its own line out. */
export function columnOf(texts: readonly string[], most = Infinity): number {
  return Math.min(most, texts.reduce((widest, text) => Math.max(widest, widthOf(text)), 0))
}

/** What a name may take of a line. */
export const mostOfName = 40
