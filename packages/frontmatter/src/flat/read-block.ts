import { FlatReader } from './reader.js'
import { readPairs } from './pairs.js'
import type { FrontmatterData } from '../types.js'

/** Reads a text as {@link FlatBlock} has it: as nothing but one-line pairs, else line by line. */
export function readBlock(text: string): FrontmatterData | undefined {
  return readPairs(text) ?? new FlatReader(text).readDocument()
}
