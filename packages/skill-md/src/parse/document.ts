import { locateBlock, type Located } from './block.js'
import { maxFrontmatterBytes } from './quick.js'
import { splitLines, type Line } from '../yaml/lines.js'

/** A file's text taken apart at its fences. */
export interface Document {
  readonly located: Located
  /** Everything up to the block, the opening fence's line included. */
  readonly before: string
  readonly lines: readonly Line[]
  /** From the closing fence on. */
  readonly after: string
}

/** Takes a text apart; without a block `lines` is empty and `after` all of the text behind a byte order mark. */
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
