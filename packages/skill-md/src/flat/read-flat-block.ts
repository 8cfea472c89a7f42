import { FlatReader } from './reader.js'
import type { FrontmatterData } from '../types.js'

/** Reads a text as {@link FlatBlock} has it. */
export function readFlatBlock(text: string): FrontmatterData | undefined {
  return new FlatReader(text).readDocument()
}
