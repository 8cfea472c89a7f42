import type { KeyLines } from '@skills/files'
import type { KeyPath } from '@skills/files/internal'

/** Data of a file, and the paths of keys that lead to it, the preferred one first. */
export interface Placed {
  readonly lines: KeyLines
  /** Default: the file's own object. */
  readonly ways?: readonly KeyPath[] | undefined
}

/**
 * Returns the line of a field for a diagnostic. For a missing field, returns the line of the object around it, or
 * nothing if that object is the whole file.
 */
export function lineOf({ lines, ways = [[]] }: Placed, [field, ...keys]: KeyPath): { readonly line?: number } {
  if (field === undefined) return {}
  const way = ways.find(one => lines.of([...one, field]) !== undefined) ?? ways[0] ?? []
  const line = lines.near([...way, field, ...keys])
  return line === undefined ? {} : { line }
}
