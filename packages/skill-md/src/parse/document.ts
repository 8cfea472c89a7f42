import { locateBlock, type Located } from './block.js'
import { maxFrontmatterBytes } from './quick.js'
import { splitLines, type Line } from '../yaml/lines.js'

/** Text of a file, split at its fences. */
export interface Document {
  readonly located: Located
  /** Everything before the block, including the line of the opening fence. */
  readonly before: string
  readonly lines: readonly Line[]
  /** Everything from the closing fence on. */
  readonly after: string
}

/** Splits a text. Without a block `lines` is empty and `after` has all of the text after a byte order mark. */
export function takeApart(text: string): Document {
  const bytes = Buffer.from(text)
  const located = locateBlock(bytes, true, maxFrontmatterBytes)
  if (located.kind !== 'block') {
    const mark = text.startsWith('\uFEFF') ? 1 : 0
    return { located, before: text.slice(0, mark), lines: [], after: text.slice(mark) }
  }
  const start = bytes.toString('utf8', 0, located.start).length
  const end = start + bytes.toString('utf8', located.start, located.end).length
  return { located, before: text.slice(0, start), lines: splitLines(text.slice(start, end)), after: text.slice(end) }
}
