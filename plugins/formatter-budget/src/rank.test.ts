import { expect, test } from 'vitest'
import { ranked, scoreOf, type Use } from './rank.js'
import { entryOf } from '../test/listing.js'

const day = 24 * 3600 * 1000

function order(
  uses: Readonly<Record<string, Use>>,
  names: readonly string[],
  { pinned = [] as readonly string[] } = {},
): readonly string[] {
  const entries = names.map(name => entryOf(name, name, { override: pinned.includes(name) ? 'pinned' : 'on' }))
  return ranked(entries, { use: name => uses[name], now: () => 100 * day }).map(({ name }) => name)
}

test('a use is worth half after a week, and never less than a tenth', () => {
  const score = (days: number, count = 1): number => scoreOf({ count, lastUsed: (100 - days) * day }, 100 * day)
  expect([score(0), score(7), score(14), score(70), score(7, 6)]).toEqual([1, 0.5, 0.25, 0.1, 3])
})

test('a use in the future counts as one of now, and what is no number as none', () => {
  expect(scoreOf({ count: 2, lastUsed: 5 }, 0)).toBe(2)
  expect([
    scoreOf({ count: Number.NaN, lastUsed: 0 }, 0),
    scoreOf({ count: 1, lastUsed: Number.NaN }, 0),
    scoreOf({ count: -1, lastUsed: 0 }, 0),
  ]).toEqual([0, 0, 0])
})

test('pinned ones come first, then the most used, then the others as they were', () => {
  const now = 100 * day
  expect(
    order(
      { b: { count: 1, lastUsed: now }, c: { count: 3, lastUsed: now - 14 * day }, d: { count: 1, lastUsed: now } },
      ['a', 'b', 'c', 'd', 'e'],
      { pinned: ['e'] },
    ),
  ).toEqual(['e', 'b', 'd', 'c', 'a'])
})
