import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createSkills, loadResult, promptCommand, type CatalogEntry } from '@skills/core'
import { formatterKind, ListingRecord, Listings, skillReminder, type Listing } from '@skills/invocation/skill-tool'
import { fakeHost } from '@skills/testing'
import { budgetFormatter, type BudgetFormatterOptions } from './index.js'
import { entryOf, listed, start } from '../test/listing.js'

/** Returns the UTF-16 code units of descriptions in a listing, without marks. */
function described({ entries }: Listing, all: readonly CatalogEntry[]): number {
  const given = new Map(all.map(entry => [entry.name, entry]))
  return entries.reduce(
    (sum, { name, text, shown }) =>
      sum +
      (shown === 'name' || given.get(name) === undefined
        ? 0
        : text.length - `- ${name}: `.length - (shown === 'cut' ? 1 : 0)),
    0,
  )
}

const plainTexts = fc
  .array(fc.integer({ min: 0, max: 200 }), { minLength: 1, maxLength: 25 })
  .map(lengths => lengths.map((length, at) => entryOf(`s${at}`, (at % 2 === 0 ? 'x' : '漢').repeat(length))))

// For characters of one code unit. Otherwise the two cannot be compared: `fair` distributes characters, `proportional`
// code units.
test('fair is never worse than proportional in characters of description shown', async () => {
  await fc.assert(
    fc.asyncProperty(
      plainTexts,
      fc.integer({ min: 1, max: 5000 }),
      fc.integer({ min: 0, max: 40 }),
      async (entries, budget, minShare) => {
        const [fair, proportional] = [
          await listed(entries, budget, { minShare }),
          await listed(entries, budget, { strategy: 'proportional', minShare }),
        ]
        expect(described(fair, entries)).toBeGreaterThanOrEqual(described(proportional, entries))
      },
    ),
    { numRuns: 500 },
  )
})

describe('the order', () => {
  const options = {
    floor: 0,
    use: (name: string) => ({ count: 1 + Number(name.slice(1)), lastUsed: 0 }),
  } satisfies BudgetFormatterOptions

  test('of skills with different uses, and all that is said of them, is the same for each order of the input', async () => {
    const entries = plainTexts.chain(all =>
      fc.record({ all: fc.constant(all), shuffled: fc.shuffledSubarray(all, { minLength: all.length }) }),
    )
    await fc.assert(
      fc.asyncProperty(entries, fc.integer({ min: 1, max: 3000 }), async ({ all, shuffled }, budget) => {
        const [listing, other] = [await listed(all, budget, options), await listed(shuffled, budget, options)]
        expect({ ...other, omitted: other.omitted.toSorted() }).toEqual({
          ...listing,
          omitted: listing.omitted.toSorted(),
        })
      }),
      { numRuns: 100 },
    )
  })

  test('is the same whichever source answers first', async () => {
    const ids = ['user', 'project', 'plugin'] as const
    const text = async (finishing: readonly string[]): Promise<string> => {
      const waiting = new Map<string, () => void>()
      const isAsked = Promise.all(
        ids.map(
          id =>
            new Promise<void>(asked => {
              waiting.set(`asked ${id}`, asked)
            }),
        ),
      )
      const skills = createSkills({
        host: fakeHost(),
        onDiagnostic: () => {},
        kinds: [formatterKind],
        precedence: ids,
        plugins: [
          ...ids.map(
            id =>
              ({
                kind: 'source',
                id,
                setup: () => ({
                  source: id,
                  list: async () => {
                    const answers = new Promise<void>(answer => {
                      waiting.set(id, answer)
                    })
                    waiting.get(`asked ${id}`)?.()
                    await answers
                    return loadResult({
                      commands: ['one', 'two'].map(name =>
                        promptCommand({
                          name: `${id}-${name}`,
                          source: id,
                          description: `Does ${name}.`,
                          load: () => ({ template: '' }),
                        }),
                      ),
                    })
                  },
                }),
              }) as const,
          ),
          budgetFormatter(),
        ],
      })
      onTestFinished(() => skills.close())
      const listing = new Listings(skills).listing()
      await isAsked
      for (const id of finishing) waiting.get(id)?.()
      return (await listing).text
    }
    const first = await text(ids)
    expect(first.split('\n').map(line => line.slice(2, line.indexOf(':')))).toEqual([
      'user-one',
      'user-two',
      'project-one',
      'project-two',
      'plugin-one',
      'plugin-two',
    ])
    for (const finishing of [
      ['plugin', 'project', 'user'],
      ['project', 'plugin', 'user'],
    ])
      expect(await text(finishing)).toBe(first)
  })
})

test('over a long session an agent hears of each skill once while it is there, regardless of its budget, its order and what comes and goes', async () => {
  const names = Array.from({ length: 12 }, (_, at) => `s${at}`)
  const step = fc.record({
    there: fc.subarray(names),
    used: fc.constantFrom(...names),
    window: fc.constantFrom(500, 2000, 200_000),
    isCompacted: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 50, maxLength: 100 }), async steps => {
      let favourite = ''
      const { format } = await start({ use: name => (name === favourite ? { count: 1, lastUsed: 0 } : undefined) })
      const record = new ListingRecord()
      let heard = new Set<string>()
      for (const { there, used, window, isCompacted } of steps) {
        favourite = used
        if (isCompacted) {
          record.reset()
          heard = new Set()
        }
        const listing = await format(
          there.map(name => entryOf(name, `Does ${name}.`)),
          window,
        )
        const news = record.next(listing)
        const content = news === undefined ? '' : String(skillReminder(news).content)
        const [told = '', gone = ''] = content.split('No longer available:')
        const toldNames = Array.from(told.matchAll(/^- (s\d+)/gm), match => match[1] ?? '')
        const goneNames = Array.from(gone.matchAll(/^- (s\d+)/gm), match => match[1] ?? '')
        expect(toldNames).toEqual(listing.entries.map(({ name }) => name).filter(name => !heard.has(name)))
        expect(goneNames.toSorted()).toEqual([...heard].filter(name => !there.includes(name)).toSorted())
        for (const name of toldNames) heard.add(name)
        for (const name of goneNames) heard.delete(name)
        expect(record.next(listing)).toBeUndefined()
      }
    }),
    { numRuns: 20 },
  )
})
