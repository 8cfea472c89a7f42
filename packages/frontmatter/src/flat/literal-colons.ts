import { maxFrontmatterBytes } from './scan.js'

/** A pair on a line of its own, with its value. */
const pair = /^([A-Za-z_]\w*)[ \t]*:[ \t]*(\S.*?)[ \t]*(\r?)$/
const fence = /^---[ \t]*\r?$/
const block = /^[|>][-+\d]*$/

/**
 * Writes each value on a line that holds a colon as a text, for hosts that take such a value as it stands before they read any
 * YAML: `[see: this]` is no list, and ` # note` no comment. What is quoted, a block or goes on in the next line stays as it is,
 * and every line stays in its place. Undefined where nothing is to be written otherwise, or the block does not end in these
 * bytes. See docs/reference.md, "Values with colons".
 * @param head the file's first bytes
 * @param length how many bytes of `head` are the file's
 */
export function literalColons(head: Buffer, length: number): Buffer | undefined {
  const limit = Math.min(length, maxFrontmatterBytes)
  const start = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0
  const lines = head.toString('latin1', start, limit).split('\n')
  if (!fence.test(lines[0] ?? '')) return undefined
  const end = lines.findIndex((line, at) => at > 0 && fence.test(line))
  if (end === -1) return undefined
  const written = lines.map((line, at) => {
    const [, key, value = '', ending] = at < end && !/^[ \t]+\S/.test(lines[at + 1] ?? '') ? pair.exec(line) ?? [] : []
    if (key === undefined || !value.includes(':') || /^["']/.test(value) || block.test(value)) return line
    return `${key}: '${value.replaceAll("'", "''")}'${ending}`
  })
  if (written.every((line, at) => line === lines[at])) return undefined
  // Byte by byte, so that what is no UTF-8 stays what it is.
  return Buffer.concat([head.subarray(0, start), Buffer.from(written.join('\n'), 'latin1'), head.subarray(limit, length)])
}
