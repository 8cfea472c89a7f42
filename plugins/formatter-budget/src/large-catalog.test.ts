import { expect, test } from 'vitest'
import { entryOf, start } from '../test/listing.js'
import type { CatalogEntry } from '@skills/core'

/** Makes entries that count how often their texts are read. */
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

test('where names do not fit, no one reads ten thousand descriptions', async () => {
  const { entries, reads } = counted(10_000)
  const { format } = await start()
  const { entries: shown } = await format(entries, 200_000)
  expect(shown.length).toBeGreaterThan(400)
  // The entry at which their share of the room ends is read too.
  expect(reads()).toBeLessThanOrEqual(shown.length + 1)
})

test('another listing of the same skills reads none of them again', async () => {
  const { entries, reads } = counted(1000)
  const { format } = await start({ budget: 30_000 })
  await format(entries)
  const before = reads()
  await format(entries.slice(1))
  expect([before, reads()]).toEqual([1000, 1000])
})

test.each([
  ['proportional', 8000],
  ['cutoff', 15_000],
] as const)('%s reads ten thousand descriptions no more than it shows', async (strategy, budget) => {
  const { entries, reads } = counted(10_000)
  const { format } = await start({ strategy, budget })
  const { entries: shown } = await format(entries)
  // The entry at which the listing ends is read too.
  expect(reads()).toBeLessThanOrEqual(shown.length + 1)
})
