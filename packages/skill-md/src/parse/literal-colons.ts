import { maxFrontmatterBytes } from './quick.js'

/**
 * Pair on a line of its own. The blanks after the value are not matched separately, which would take the square of
 * their number.
 */
const pair = /^([A-Za-z_]\w*)[ \t]*:[ \t]*(\S.*)(\r?)$/
/** Line without content. */
const empty = /^[ \t]*(?:#.*)?\r?$/
const fence = /^---[ \t]*\r?$/

/**
 * Quotes each one-line value that has a colon, for hosts that take such a value literally before they read any YAML:
 * `[see: this]` is not a list, and ` # note` not a comment. Values that are quoted, are a block or continue on further
 * lines stay as they are, and every line keeps its place. Returns undefined if nothing has to change, or if the block
 * does not end in these bytes. See docs/reference/fields.md, "Values with colons".
 * @param head the file's first bytes
 * @param length number of bytes in `head` that are the file's
 */
export function literalColons(head: Buffer, length: number): Buffer | undefined {
  const limit = Math.min(length, maxFrontmatterBytes)
  const start = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0
  const lines = head.toString('latin1', start, limit).split('\n')
  if (!fence.test(lines[0] ?? '')) return undefined
  const end = lines.findIndex((line, at) => at > 0 && fence.test(line))
  if (end === -1) return undefined
  const written = [...lines]
  let below = ''
  for (let at = end - 1; at > 0; at--) {
    const line = lines[at] ?? ''
    if (!goesOn(below)) written[at] = literal(line)
    if (!empty.test(line)) below = line
  }
  if (written.every((line, at) => line === lines[at])) return undefined
  // Byte by byte, so that invalid UTF-8 stays as it is.
  return Buffer.concat([
    head.subarray(0, start),
    Buffer.from(written.join('\n'), 'latin1'),
    head.subarray(limit, length),
  ])
}

/**
 * Returns true if a line belongs to the value above it: an indented one, or one without a key, which is read so with a
 * warning.
 */
function goesOn(line: string): boolean {
  return /^[ \t]/.test(line) || !(line === '' || line.includes(':') || line.startsWith('-'))
}

function literal(line: string): string {
  const [, key, rest = '', ending] = pair.exec(line) ?? []
  if (key === undefined || !rest.includes(':') || /^["']/.test(rest)) return line
  let end = rest.length
  while (rest[end - 1] === ' ' || rest[end - 1] === '\t') end--
  return `${key}: '${rest.slice(0, end).replaceAll("'", "''")}'${ending}`
}
