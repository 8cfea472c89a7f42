import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fakeClock } from '@skills/testing'
import { explore } from './explore.js'
import { entryOf, many, start } from '../test/listing.js'
import type { CatalogEntry } from '@skills/core'

const turnsEach = 10

describe('the order', () => {
  test('has everything once, pinned ones first, and in every beginning the part of those that have their turn', () => {
    const anyEntries = fc.array(fc.constantFrom('used', 'unused', 'unused', 'pinned', 'bundled'), { maxLength: 40 })
    fc.assert(
      fc.property(anyEntries, fc.constantFrom(0, 0.1, 0.2, 0.5, 1), fc.nat(1_000_000), (words, floor, step) => {
        const all = words.map((word, at) =>
          entryOf(`${word}-${at}`, 'x', {
            override: word === 'pinned' ? 'pinned' : 'on',
            source: word === 'bundled' ? 'bundled' : 'user',
          }),
        )
        const ordered = ['pinned', 'used', 'unused', 'bundled'].flatMap(word =>
          all.filter(({ name }) => name.startsWith(word)),
        )
        const { entries, explored } = explore(ordered, { floor, step })
        expect(new Set(entries)).toEqual(new Set(ordered))
        expect(entries).toHaveLength(ordered.length)
        const pinned = words.filter(word => word === 'pinned').length
        expect(entries.slice(0, pinned)).toEqual(ordered.slice(0, pinned))
        expect([...explored].filter(name => !name.includes('used'))).toEqual([])
        const most = words.filter(word => word.includes('used')).length
        const count = (length: number): number =>
          entries.slice(pinned, pinned + length).filter(({ name }) => explored.has(name)).length
        for (let length = 1; length <= most; length++)
          expect(count(length)).toBeGreaterThanOrEqual(Math.floor(length * floor))
      }),
    )
  })

  test('is as it was where nothing has a part, or all are pinned', () => {
    const ordered = many(5, 'x')
    expect(explore(ordered, { floor: 0, step: 7 }).entries).toBe(ordered)
    expect(
      explore(
        ordered.map(entry => ({ ...entry, override: 'pinned' })),
        { floor: 0.2, step: 7 },
      ).explored.size,
    ).toBe(0)
  })
})

/** Returns the number of turns until each skill had its description in a listing. A used skill stays used. */
async function turnsUntilAllAreSeen(
  entries: readonly CatalogEntry[],
  contextWindow: number,
  mostTurns: number,
): Promise<number> {
  const used = new Map<string, number>(entries.slice(0, 20).map(({ name }, at) => [name, 100 - at]))
  const { format } = await start({
    use: name => (used.has(name) ? { count: used.get(name) ?? 0, lastUsed: 0 } : undefined),
  })
  const unseen = new Set(entries.map(({ name }) => name))
  for (let turn = 1; turn <= mostTurns; turn++) {
    const listing = await format(entries, contextWindow)
    expect(listing.usedChars).toBeLessThanOrEqual(listing.budgetChars)
    for (const { name, shown } of listing.entries) if (shown !== 'name') unseen.delete(name)
    if (unseen.size === 0) return turn
  }
  throw new Error(`${unseen.size} of ${entries.length} were never seen.`)
}

test.each([
  ['where some descriptions have room', 100, 40_000, 30],
  ['where hardly any description has room', 100, 18_000, 500],
  ['where not even all names have room', 1000, 200_000, 200],
  ['where few names have room', 1000, 20_000, 2000],
])(
  'every skill has its description in the listing within so many steps: %s',
  async (_where, count, contextWindow, steps) => {
    const entries = many(count, 'Does something that is worth a line or two of the listing, if there is room for it.')
    expect(await turnsUntilAllAreSeen(entries, contextWindow, steps * turnsEach)).toBeGreaterThan(turnsEach)
  },
)

test('a conversation keeps its listing for some turns, and an hour later there is another', async () => {
  const clock = fakeClock()
  const entries = many(1000, 'Something.')
  const { format } = await start({}, { clock })
  const first = await format(entries, 20_000)
  for (let turn = 1; turn < turnsEach; turn++) expect(await format(entries, 20_000)).toBe(first)
  const next = await format(entries, 20_000)
  expect(next.text).not.toBe(first.text)
  await clock.advance(3_600_000)
  expect((await format(entries, 20_000)).text).not.toBe(next.text)
  // With room for everything, nothing changes.
  const whole = await format(entries, 2_000_000)
  await clock.advance(3_600_000)
  expect(await format(entries, 2_000_000)).toBe(whole)
})
