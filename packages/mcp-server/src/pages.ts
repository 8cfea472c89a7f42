import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'

export interface Page<T> {
  readonly items: T[]
  readonly nextCursor?: string
}

/**
 * Returns one page of a list sorted by key. A cursor names the key after which the page begins, so that no item is
 * repeated or skipped when the list changes between two pages.
 * @param cursor cursor of the page before; any other text gives the protocol's error for invalid parameters
 */
export function pageOf<T>(
  sorted: readonly T[],
  keyOf: (item: T) => string,
  cursor: string | undefined,
  size: number,
): Page<T> {
  const after = cursor === undefined ? undefined : keyIn(cursor)
  const start = after === undefined ? 0 : firstAfter(sorted, keyOf, after)
  const items = sorted.slice(start, start + size)
  const last = items.at(-1)
  return { items, ...(last !== undefined && start + size < sorted.length && { nextCursor: cursorOf(keyOf(last)) }) }
}

/** Sorts items by key, in the order of the pages. */
export function inOrder<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const keyed = items.map(item => ({ item, key: keyOf(item) }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item)
}

const mark = 'after:'

function cursorOf(key: string): string {
  return Buffer.from(`${mark}${key}`).toString('base64url')
}

function keyIn(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (text.startsWith(mark) && cursorOf(text.slice(mark.length)) === cursor) return text.slice(mark.length)
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor does not come from this server.')
}

function firstAfter<T>(sorted: readonly T[], keyOf: (item: T) => string, key: string): number {
  let low = 0
  for (let high = sorted.length; low < high;) {
    const middle = (low + high) >> 1
    const item = sorted[middle]
    if (item !== undefined && keyOf(item) > key) high = middle
    else low = middle + 1
  }
  return low
}
