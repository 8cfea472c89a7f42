import { isFlatProse, isUnsure, scanFlat } from './scan.js'
import { readFlatBlock } from './read-flat-block.js'
import type { FlatHead } from '../types.js'

/**
 * The hot path: reads a block made only of constructs whose YAML meaning is certain, without loading a YAML library.
 * `undefined` means "not sure", never "wrong": the full parser decides then. Whatever it answers is exactly what the full parser
 * gives, without a diagnostic. See docs/reference.md, "Frontmatter".
 * @param head the file's first bytes
 * @param length how many bytes of `head` are the file's; what lies behind is not looked at
 * @param whole whether the file ends after `length` bytes. Default: false, so that a fence at the very end is not certain
 */
export function readFlat(head: Buffer, length: number, whole = false): FlatHead | undefined {
  const block = scanFlat(head, length, whole)
  if (block === undefined) return isFlatProse(head, length) ? { ok: true, data: {}, bodyStart: 0, hasFrontmatter: false } : undefined
  const data = readFlatBlock(block.text)
  return data === undefined ? undefined : { ok: true, data, bodyStart: block.bodyStart, hasFrontmatter: true }
}

/** Whether the flat path reads the text of a block, each line with its end. */
export function isFlat(block: string): boolean {
  return !isUnsure(block) && readFlatBlock(`${block.replaceAll('\r\n', '\n')}-`) !== undefined
}
