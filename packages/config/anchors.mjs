// @ts-check

/**
 * The anchor that a page gives a heading.
 * @param {string} title
 */
export function anchorOf(title) {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')
}

/**
 * A page without its blocks of code, each of whose lines is empty, so that lines keep their numbers.
 * @param {string} page
 */
export function withoutBlocks(page) {
  return page.replace(/^([ \t]*)(```|~~~)[^]*?^\1\2/gm, block => block.replace(/[^\n]/g, ''))
}

/**
 * Every anchor of a page: of two headings with one text, the second has a number.
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
