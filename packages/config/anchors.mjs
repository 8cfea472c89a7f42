// @ts-check

/**
 * Returns the anchor that a page has for a heading.
 * @param {string} title
 */
export function anchorOf(title) {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}

/**
 * Empties the lines of code blocks in a page, so that line numbers stay the same.
 * @param {string} page
 */
export function withoutBlocks(page) {
  return page.replace(/^([ \t]*)(```|~~~)[^]*?^\1\2/gm, block => block.replace(/[^\n]/g, ''))
}

/**
 * Returns every anchor of a page. If two headings have the same text, the second one's anchor has a number.
 * @param {string} page
 * @returns {Set<string>}
 */
export function anchorsOf(page) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  const anchors = Array.from(withoutBlocks(page).matchAll(/^#{1,6} +(.+?) *$/gm), ([, title = '']) => {
    const anchor = anchorOf(title)
    const count = counts.get(anchor) ?? 0
    counts.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
  return new Set(anchors)
}
