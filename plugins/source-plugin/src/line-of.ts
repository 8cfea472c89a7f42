import type { KeyLines } from '@skills/files'
import type { KeyPath } from '@skills/files/internal'

/** Data of a file, and the ways in that file to what holds it, the one that counts first. */
export interface Placed {
  readonly lines: KeyLines
  /** Default: the file's own object. */
  readonly ways?: readonly KeyPath[] | undefined
}

/**
 * The line of a field, or of what is around one that is missing, for a diagnostic; empty where that is the whole file.
 */
export function lineOf({ lines, ways = [[]] }: Placed, [field, ...keys]: KeyPath): { readonly line?: number } {
  if (field === undefined) return {}
  const way = ways.find(one => lines.of([...one, field]) !== undefined) ?? ways[0] ?? []
  const line = lines.near([...way, field, ...keys])
  return line === undefined ? {} : { line }
}
