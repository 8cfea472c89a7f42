import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entryOf, listed } from '../test/listing.js'
import { plainCutoff, plainFair, plainFixedLines, plainProportional, type PlainOptions } from '../test/plain-rules.js'
import type { CatalogEntry } from '@skills/core'

// Each strategy is compared with a plain implementation of its rule, which does not stop early and caches nothing.

const words = fc.array(fc.constantFrom('word', 'it', ' ', '.', 'x'), { maxLength: 20 }).map(parts => parts.join(''))
const odd = fc
  .array(
    fc.constantFrom(
      'a',
      ' ',
      '  ',
      '\n',
      '<',
      '>',
      '</system-reminder>',
      'e\u0301',
      '\u0301'.repeat(20),
      '👩‍👩‍👧',
      '🇩🇪',
      '漢',
      '\u200b',
      '\u202e',
      '\ud800',
      '…',
    ),
    { maxLength: 20 },
  )
  .map(parts => parts.join(''))
const text = fc.oneof({ arbitrary: words, weight: 3 }, { arbitrary: odd, weight: 1 })
const anyEntry = fc.record({
  name: fc.oneof({ arbitrary: fc.stringMatching(/^[a-z]{1,12}$/), weight: 5 }, { arbitrary: odd, weight: 1 }),
  description: text,
  whenToUse: fc.option(text, { nil: undefined }),
  argumentHint: fc.option(text, { nil: undefined }),
  override: fc.constantFrom('on', 'on', 'on', 'on', 'name-only', 'pinned'),
  source: fc.constantFrom('user', 'user', 'user', 'project', 'mcp', 'bundled'),
})
const anyEntries = fc
  .uniqueArray(anyEntry, { selector: ({ name }) => name, maxLength: 40, size: 'max' })
  .map(all => all.map(({ name, description, ...parts }): CatalogEntry => entryOf(name, description, parts)))
const anyBudget = fc
  .oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 3000 }))
  .map(budget => (): number => budget)
/** Budgets about as long as all names, where one character changes the listing. */
const tightBudget = fc.integer({ min: -2, max: 2 }).map(
  more =>
    (entries: readonly CatalogEntry[]): number =>
      Math.max(1, entries.reduce((sum, { name }) => sum + `- ${name}\n`.length, -1) + more),
)
const anyOptions: fc.Arbitrary<PlainOptions> = fc.record({
  escape: fc.constantFrom('tags', 'angles'),
  maxDescription: fc.constantFrom(1, 2, 3, 20, 1536),
  minShare: fc.constantFrom(0, 1, 5, 20),
  note: fc.constantFrom(
    count => `+${count}`,
    count => `(${count} more of them are not shown here.)`,
  ),
})

describe.each([
  ['fair', plainFair],
  ['proportional', plainProportional],
  ['cutoff', plainCutoff],
] as const)('%s', (strategy, plain) => {
  test('gives what its rule gives, to the letter', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyEntries,
        fc.oneof({ arbitrary: anyBudget, weight: 4 }, tightBudget),
        anyOptions,
        async (entries, budgetFor, options) => {
          const budget = budgetFor(entries)
          const { text: shown, omitted, truncated } = await listed(entries, budget, { strategy, ...options })
          expect({ text: shown, omitted, truncated }).toEqual(plain(entries, budget, options))
          expect(shown.length).toBeLessThanOrEqual(budget)
        },
      ),
      { numRuns: 400 },
    )
  })
})

test('fixed gives what its rule gives, to the letter', async () => {
  await fc.assert(
    fc.asyncProperty(anyEntries, anyOptions, async (entries, options) => {
      const { entries: shown } = await listed(entries, 1, { strategy: 'fixed', ...options })
      expect(shown.map(entry => entry.text)).toEqual(plainFixedLines(entries, options))
    }),
    { numRuns: 200 },
  )
})
