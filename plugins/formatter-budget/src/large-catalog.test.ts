import { expect, test } from 'vitest'
import { entryOf, start } from '../test/listing.js'
import type { CatalogEntry } from '@skills/core'

/** Entries that count how often somebody asks for what they say. */
function counted(count: number): { readonly entries: readonly CatalogEntry[]; reads(): number } {
  let reads = 0
  const entries = Array.from({ length: count }, (_none, at) => {
    const entry = entryOf(`skill-${at}`, '')
    const command = Object.defineProperty({ ...entry.command }, 'description', {
      get() {
        reads++
        return 'Something that is said of it.'
      },
    })
    return { ...entry, command }
  })
  return { entries, reads: () => reads }
}

test('where names do not fit, nobody reads ten thousand descriptions', async () => {
  const { entries, reads } = counted(10_000)
  const { format } = await start()
  const { entries: shown } = await format(entries, 200_000)
  expect(shown.length).toBeGreaterThan(400)
  expect(reads()).toBe(shown.length)
})

test('another listing of the same skills reads none of them again', async () => {
  const { entries, reads } = counted(1000)
  const { format } = await start({ budget: 30_000 })
  await format(entries)
  const before = reads()
  await format(entries.slice(1))
  expect([before, reads()]).toEqual([1000, 1000])
})
