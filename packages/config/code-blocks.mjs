// @ts-check

/**
 * @typedef {{ language: string, start: number, end: number, indent: string, from?: string }} Block line indexes of its
 * fences
 */

/**
 * Finds the TypeScript and JavaScript blocks of a page, and origin comments that no block follows. Other fenced blocks
 * are skipped, so that fences and comments inside them count as text.
 * @param {readonly string[]} lines
 * @returns {{ blocks: Block[], strays: { line: number, from: string }[] }}
 */
export function codeBlocks(lines) {
  const blocks = []
  const strays = []
  /** @type {{ line: number, from: string } | undefined} */
  let marker
  for (let line = 0; line < lines.length; line++) {
    const text = lines[line] ?? ''
    if (text.trim() === '') continue
    const [, indent = '', fence, language = ''] = /^(\s*)(`{3,}|~{3,})\s*([\w+-]*)/.exec(text) ?? []
    const isCode = fence !== undefined && /^([cm]?[jt]s|[jt]sx|typescript|javascript)$/i.test(language)
    if (marker && !isCode) strays.push(marker)
    const end = fence === undefined ? line : endOfBlock(lines, line, fence)
    if (isCode) blocks.push({ language, start: line, end, indent, ...(marker && { from: marker.from }) })
    const from = /^\s*<!--\s*from\s+(\S+)\s*-->\s*$/.exec(text)?.[1]
    marker = from === undefined ? undefined : { line, from }
    line = end
  }
  if (marker) strays.push(marker)
  return { blocks, strays }
}

/**
 * @param {readonly string[]} lines
 * @param {number} start
 * @param {string} fence
 */
function endOfBlock(lines, start, fence) {
  const closing = new RegExp(`^\\s*${fence[0]}{${fence.length},}\\s*$`)
  const offset = lines.slice(start + 1).findIndex(line => closing.test(line))
  return offset === -1 ? lines.length : start + 1 + offset
}
