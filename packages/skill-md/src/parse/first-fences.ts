import type { Diagnostic } from '@skills/core'
import { checkText } from './text-check.js'
import type { FrontmatterData } from '../types.js'

/** Place of frontmatter whose fences are found as some programs find them. */
interface FirstFences {
  /** Offset after the block's last character. */
  readonly end: number
  readonly bodyStart: number
}

const opening = /^---\s*\n/
/** Longest opening fence in bytes, including blank lines below it. */
const mostOpening = 4096

/**
 * Finds frontmatter that begins with `---` at the very start of a file and ends at the next `---` anywhere, with the
 * white space after it.
 * @returns `none` if there is none, `more` if it may continue after these bytes
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

/** Reading without a block, with the reasons. */
interface Problems {
  readonly problems: readonly Diagnostic[]
}

interface Plain {
  readonly data: FrontmatterData
  readonly bodyStart: number
}

/**
 * Reads the block between such fences. A block that is not a map of keys is not frontmatter.
 * @param readBlock called with the file and a closing fence on a line of its own
 * @returns the block, and the bytes that its offsets refer to
 */
export function readFirstFences<Read extends object | string>(
  bytes: Buffer,
  isWhole: boolean,
  readBlock: (bytes: Buffer) => Read,
): { readonly block: Read | Plain | Problems | 'more'; readonly read: Buffer } {
  const fences = firstFences(bytes, isWhole)
  if (fences === 'more') return { block: fences, read: bytes }
  if (fences === 'none') {
    const broken = isWhole ? checkText(bytes) : undefined
    const block = broken === undefined ? { data: {}, bodyStart: textStart(bytes) } : { problems: [broken] }
    return { block, read: bytes }
  }
  const { end, bodyStart } = fences
  const read = Buffer.concat([bytes.subarray(0, end), Buffer.from('\n---\n'), bytes.subarray(bodyStart)])
  const block = readBlock(read)
  const isNoMap = typeof block === 'object' && 'problems' in block && isNone(block as Problems)
  return { block: isNoMap ? { data: {}, bodyStart: bodyStart + read.length - bytes.length } : block, read }
}

/** Returns the offset of the body below such fences. */
export function bodyStartOf(bytes: Buffer): number {
  const fences = firstFences(bytes, true)
  return typeof fences === 'object' ? fences.bodyStart : textStart(bytes)
}

/** Returns true if the only problem is that the text between the fences is not a map of keys. */
function isNone({ problems }: Problems): boolean {
  return problems.every(({ code }) => code === 'not-a-mapping' || code === 'leading-rule')
}

/** Returns the offset after a byte order mark. */
function textStart(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
}

function isSpace(code: number | undefined): boolean {
  return code === 32 || (code !== undefined && code >= 9 && code <= 13)
}
