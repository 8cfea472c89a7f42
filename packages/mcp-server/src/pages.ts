import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { SkillsError, type CatalogEntry } from '@skills/core'
import type { LargeCommands } from '@skills/core/internal'

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

/**
 * Returns one page of a list, or of what large sources have besides: their pages follow those of the list.
 * @param itemsOf makes items of entries that are not in the list
 */
export async function pageBeyond<T>(
  sorted: readonly T[],
  keyOf: (item: T) => string,
  cursor: string | undefined,
  size: number,
  {
    large: largeOf,
    itemsOf,
    signal,
  }: {
    readonly large: ((options: { readonly signal: AbortSignal }) => Promise<LargeCommands | undefined>) | undefined
    readonly itemsOf: (entries: readonly CatalogEntry[]) => readonly T[]
    readonly signal: AbortSignal
  },
): Promise<Page<T>> {
  const large = await largeOf?.({ signal })
  const begun = cursor === undefined ? undefined : Buffer.from(cursor, 'base64url').toString()
  if (large === undefined || begun?.startsWith(markLarge) !== true) {
    const page = pageOf(sorted, keyOf, cursor, size)
    if (large === undefined || page.nextCursor !== undefined) return page
    const first = await large.page({ limit: 1, signal })
    const isMore = first.entries.length > 0 || first.next !== undefined
    return { ...page, ...(isMore && { nextCursor: encoded(markLarge) }) }
  }
  const after = begun.slice(markLarge.length)
  const page = await large.page({ limit: size, ...(after !== '' && { after }), signal }).catch((error: unknown) => {
    throw SkillsError.is(error) && error.code === 'E_INVALID_OPTION' ? foreign() : error
  })
  return {
    items: [...itemsOf(page.entries.filter(({ isFound }) => isFound === true))],
    ...(page.next !== undefined && { nextCursor: encoded(`${markLarge}${page.next}`) }),
  }
}

/** Sorts items by key, in the order of the pages. */
export function inOrder<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const keyed = items.map(item => ({ item, key: keyOf(item) }))
  return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ item }) => item)
}

const mark = 'after:'
const markLarge = 'large:'

const encoded = (text: string): string => Buffer.from(text).toString('base64url')

function cursorOf(key: string): string {
  return encoded(`${mark}${key}`)
}

function keyIn(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString()
  if (text.startsWith(mark) && cursorOf(text.slice(mark.length)) === cursor) return text.slice(mark.length)
  throw foreign()
}

function foreign(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor does not come from this server.')
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
