/** Where frontmatter stands whose fences are found as some programs find them. */
export interface FirstFences {
  /** Offset behind the block's last character. */
  readonly end: number
  readonly bodyStart: number
}

const opening = /^---\s*\n/
/** More than an opening fence has, the lines below it that are blank included. */
const mostOpening = 4096

/**
 * Finds frontmatter that begins with `---` at the very start of a file and ends at the next `---`, wherever that
 * stands, with the white space behind it.
 * @returns `none` where there is none, `more` where it may go on behind these bytes
 */
export function firstFences(bytes: Buffer, isWhole: boolean): FirstFences | 'none' | 'more' {
  const start = textStart(bytes)
  const [fence] = opening.exec(bytes.toString('latin1', start, start + mostOpening)) ?? []
  if (fence === undefined) return isWhole || bytes.length - start >= mostOpening ? 'none' : 'more'
  const end = bytes.indexOf('---', start + fence.length)
  if (end === -1) return isWhole ? 'none' : 'more'
  let bodyStart = end + 3
  while (isSpace(bytes[bodyStart])) bodyStart += 1
  return bodyStart === bytes.length && !isWhole ? 'more' : { end, bodyStart }
}

/** The same file with a closing fence on a line of its own. */
export function withOwnLine(bytes: Buffer, { end, bodyStart }: FirstFences): Buffer {
  return Buffer.concat([bytes.subarray(0, end), Buffer.from('\n---\n'), bytes.subarray(bodyStart)])
}

/** Behind a byte order mark. */
export function textStart(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

function isSpace(code: number | undefined): boolean {
  return code === 32 || (code !== undefined && code >= 9 && code <= 13)
}
