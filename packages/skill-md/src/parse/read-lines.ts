import { isUnsafeKey } from '../yaml/unsafe-keys.js'
import { maxFrontmatterBytes } from './quick.js'
import type { FrontmatterData } from '../types.js'

/** Frontmatter that was read as lines. */
export interface LinesHead {
  readonly ok: true
  readonly data: FrontmatterData
  readonly bodyStart: number
  readonly hasFrontmatter: boolean
}

const fence = /^---[ \t]*$/

/**
 * Reads frontmatter as lines of `key: value`, for hosts that know no YAML. Splits each line at its first colon and
 * removes quotes around a value; there is no nesting. A block that is never closed is part of the body. Returns
 * undefined to ask for more of the file. See docs/reference/fields.md, "Frontmatter in lines".
 * @param head the file's first bytes
 * @param length number of bytes in `head` that are the file's
 * @param whole true if the file ends there
 */
export function readLines(head: Buffer, length: number, whole: boolean): LinesHead | undefined {
  const mark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0
  const body: LinesHead = { ok: true, data: {}, bodyStart: mark, hasFrontmatter: false }
  const data: FrontmatterData = {}
  for (let start = mark; start < length;) {
    const feed = head.indexOf(0x0a, start)
    const isEnded = feed !== -1 && feed < length
    if (!isEnded && !whole) return start - mark > maxFrontmatterBytes ? body : undefined
    const end = isEnded ? feed : length
    const line = head.toString('utf8', start, end).replace(/\r$/, '')
    const isFence = fence.test(line)
    if (start === mark) {
      if (!isFence) return body
    } else if (isFence) return { ok: true, data, bodyStart: isEnded ? end + 1 : end, hasFrontmatter: true }
    else readLine(line, data)
    start = isEnded ? end + 1 : length
    if (start - mark > maxFrontmatterBytes) return body
  }
  return whole ? body : undefined
}

function readLine(line: string, data: FrontmatterData): void {
  const colon = line.indexOf(':')
  const key = line.slice(0, Math.max(0, colon)).trim()
  if (key === '' || isUnsafeKey(key)) return
  const value = line.slice(colon + 1).trim()
  data[key] = /^(["']).*\1$/s.test(value) && value.length > 1 ? value.slice(1, -1) : value
}
