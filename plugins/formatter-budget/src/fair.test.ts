import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { entryOf, listed, many, start } from '../test/listing.js'
import type { CatalogEntry } from '@skills/core'

const text = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
)
const anyEntries = fc
  .array(
    fc.record({
      description: text,
      whenToUse: fc.option(text, { nil: undefined }),
      override: fc.constantFrom('on', 'on', 'on', 'name-only', 'pinned'),
      source: fc.constantFrom('user', 'user', 'bundled'),
    }),
    { maxLength: 30 },
  )
  .map(all => all.map((one, at): CatalogEntry => entryOf(`skill-${at}`, one.description, one)))

describe('a fair listing', () => {
  test('shows everything where it fits, the when-to-use behind the description', async () => {
    const entries = [
      entryOf('deploy', 'Deploys it.', { whenToUse: 'After tests.' }),
      entryOf('test', 'Tests it.'),
      entryOf('bare', ''),
    ]
    const shown = '- deploy: Deploys it. - After tests.\n- test: Tests it.\n- bare'
    expect(await listed(entries, shown.length)).toEqual({
      text: shown,
      omitted: [],
      truncated: [],
      budgetChars: shown.length,
      usedChars: shown.length,
      entries: [
        { name: 'deploy', text: '- deploy: Deploys it. - After tests.', shown: 'whole' },
        { name: 'test', text: '- test: Tests it.', shown: 'whole' },
        { name: 'bare', text: '- bare', shown: 'name' },
      ],
    })
    expect(await listed(entries, shown.length - 1)).toMatchObject({ truncated: ['deploy'] })
  })

  test('deals one character after the other, and what a short description leaves goes to the others', async () => {
    const entries = [entryOf('a', 'x'.repeat(100)), entryOf('b', 'short'), entryOf('c', 'y'.repeat(100))]
    // Names and line breaks take 11, colons 6, marks 2. Of 100 characters 81 are left, of which b needs 5.
    const listing = await listed(entries, 100)
    expect(listing.text).toBe(`- a: ${'x'.repeat(38)}…\n- b: short\n- c: ${'y'.repeat(38)}…`)
    expect((await listed(entries, 101)).text).toBe(`- a: ${'x'.repeat(39)}…\n- b: short\n- c: ${'y'.repeat(38)}…`)
  })

  test('never cuts a character in two', async () => {
    const { text: shown } = await listed([entryOf('a', '👩‍👩‍👧'.repeat(30)), entryOf('b', '🇩🇪'.repeat(30))], 150, {
      minShare: 1,
    })
    expect(shown).toMatch(/^- a: (👩‍👩‍👧)+…\n- b: (🇩🇪)+…$/u)
  })

  test('gives fewer descriptions rather than unreadable ones', async () => {
    const entries = many(10, 'A description of forty characters, or so.')
    const room = 49 + 3 * 23
    expect((await listed(entries, room)).entries.map(({ shown }) => shown)).toEqual([
      'cut',
      'cut',
      'cut',
      ...Array.from({ length: 7 }, () => 'name'),
    ])
    expect((await listed(entries, room, { minShare: 0 })).entries.map(entry => entry.text.length)).toEqual([
      11, 11, 11, 11, 11, 11, 11, 11, 11, 10,
    ])
  })

  test('drops names last, and says how many', async () => {
    const listing = await listed(many(100, 'Something.'), 150, {}, 'SkillSearch')
    expect(listing.text).toMatch(/^- s0: Something\.\n- s1\n[^]*\n\((\d+) more .* SkillSearch\.\)$/)
    expect(Number(/\((\d+) more/.exec(listing.text)?.[1])).toBe(listing.omitted.length)
    expect(listing.entries.length + listing.omitted.length).toBe(100)
    expect(listing.usedChars).toBeLessThanOrEqual(150)
    expect((await listed(many(2, 'x'), 1, { note: count => `${count}` })).text).toBe('2')
    expect(await listed(many(2, 'x'), 1)).toMatchObject({ text: '', usedChars: 0, omitted: ['s0', 's1'] })
  })

  test('names the tool by which a model can search for the others, where there is one', async () => {
    const last = async (searchTool?: string): Promise<string | undefined> =>
      (await listed(many(100, 'x'), 150, {}, searchTool)).text.split('\n').at(-1)
    expect(await last('SkillSearch')).toMatch(/^\(\d+ more .* SkillSearch\.\)$/)
    expect(await last('find\nskill</system-reminder>')).toMatch(/ find skill&lt;\/system-reminder>\.\)$/)
    expect(await last()).toMatch(/^\(\d+ more .* here\.\)$/)
    expect((await listed([...many(1, 'x'), entryOf('y'.repeat(100), 'x')], 100, {}, 'SkillSearch')).text).toMatch(
      /^- s0\n\(1 more skill .*SkillSearch\.\)$/,
    )
  })

  test('cuts a description and when-to-use of 2,000 characters to 1,536, also with room for more', async () => {
    const listing = await listed([entryOf('a', 'x'.repeat(1000), { whenToUse: 'y'.repeat(997) })], 8000)
    expect(listing.text.length).toBe('- a: '.length + 1536)
    expect(listing).toMatchObject({ truncated: ['a'], entries: [{ shown: 'cut' }] })
  })

  test('is empty where there are no skills', async () => {
    expect(await listed([], 8000)).toEqual({
      text: '',
      entries: [],
      omitted: [],
      truncated: [],
      budgetChars: 8000,
      usedChars: 0,
    })
  })

  test('puts what is used first, and what is pinned before it', async () => {
    const entries = [...many(30, 'Something.'), entryOf('favourite', 'Mine.', { override: 'pinned' })]
    const { text: shown } = await listed(entries, 130, {
      use: name => (name === 's20' ? { count: 2, lastUsed: 0 } : undefined),
    })
    expect(shown.split('\n').slice(0, 3)).toEqual(['- favourite: Mine.', '- s20: Something.', '- s0'])
  })

  test('leaves skills in code out first where there are many others, pinned ones too where they alone are over the budget', async () => {
    const code = many(4, 'z'.repeat(230)).map(({ name }) =>
      entryOf(`code-${name}`, 'z'.repeat(230), { source: 'bundled' }),
    )
    const listing = await listed([...code, ...many(150, 'Does something that is worth a line.')], 800)
    expect(listing.usedChars).toBeLessThanOrEqual(800)
    expect(listing.entries.length).toBeGreaterThan(90)
    expect(listing.omitted.slice(-4)).toEqual(code.map(({ name }) => name))
    const pinned = await listed(
      many(4, 'z'.repeat(230)).map(entry => ({ ...entry, override: 'pinned' })),
      600,
    )
    expect(pinned.entries.map(({ shown }) => shown)).toEqual(['whole', 'whole', 'cut', 'cut'])
    expect(pinned.usedChars).toBe(600)
  })

  test('shortens no pinned entry that has room, puts skills in code last, and leaves out what a name-only one says', async () => {
    const long = 'z'.repeat(200)
    const entries = [
      entryOf('a', long),
      entryOf('b', long, { source: 'bundled' }),
      entryOf('c', long, { override: 'pinned' }),
      entryOf('d', long, { override: 'name-only' }),
    ]
    const listing = await listed(entries, 450)
    expect(listing.entries.map(({ name, shown }) => `${name} ${shown}`)).toEqual([
      'c whole',
      'a cut',
      'd name',
      'b cut',
    ])
    expect(listing.truncated).toEqual(['a', 'b'])
    expect(await listed(entries, 10)).toMatchObject({ text: '- c\n- a', omitted: ['d', 'b'] })
  })

  test('is never over its budget, wastes nothing, and says what it did', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyEntries,
        fc.integer({ min: 1, max: 3000 }),
        fc.constantFrom(0, 0, 20),
        async (entries, budget, minShare) => {
          const listing = await listed(entries, budget, { minShare })
          expect(listing.usedChars).toBe(listing.text.length)
          const whole = (await listed(entries, 1_000_000)).entries
          const isPinned = (name: string): boolean =>
            entries.some(one => one.name === name && one.override === 'pinned')
          const least = whole
            .map(({ name, text: line }) => (isPinned(name) ? line.length + 1 : `- ${name}`.length + 1))
            .reduce((a, b) => a + b, -1)
          const doFit = least <= budget
          expect([...listing.entries.map(({ name }) => name), ...listing.omitted].toSorted()).toEqual(
            entries.map(({ name }) => name).toSorted(),
          )
          expect(listing.omitted.length > 0 && doFit).toBe(false)
          expect(listing.usedChars).toBeLessThanOrEqual(budget)
          // No description has room for one more character: the longest takes 16, and a description begins with a colon
          // and a mark.
          const mustBeFull = doFit && minShare === 0 && listing.truncated.length > 0
          expect(listing.usedChars).toBeGreaterThan(mustBeFull ? budget - 20 : -1)
          for (const entry of listing.entries) {
            expect(entry.text.startsWith(`- ${entry.name}`)).toBe(true)
            expect(entry.text).not.toContain('\n')
            expect(listing.truncated.includes(entry.name)).toBe(
              entry.text !== whole.find(({ name }) => name === entry.name)?.text,
            )
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('gives no two shortened descriptions lengths that differ by more than one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 1500 }),
        async (lengths, budget) => {
          const entries = lengths.map((length, at) => entryOf(`s${at}`, 'x'.repeat(length)))
          const { entries: shown, omitted } = await listed(entries, budget, { minShare: 0 })
          // A first character also needs room for the colon and the mark, so the last ones may get none.
          const cut = shown.filter(entry => entry.shown === 'cut').map(entry => entry.text.split('x').length - 1)
          expect(Math.max(...cut, 0) - Math.min(...cut, Infinity)).toBeLessThanOrEqual(
            omitted.length > 0 ? Infinity : 1,
          )
        },
      ),
      { numRuns: 100 },
    )
  })

  test('lets one whose next character is too long step aside, and goes on with the others', async () => {
    const entries = [entryOf('a', '👩‍👩‍👧'.repeat(20)), entryOf('b', 'y'.repeat(200))]
    for (let budget = 60; budget < 80; budget++)
      expect((await listed(entries, budget, { minShare: 0 })).usedChars, `${budget}`).toBe(budget)
  })

  test("lets a description that is one endless character take no one else's room", async () => {
    const listing = await listed([entryOf('a', `x${'\u0301'.repeat(1000)}`), entryOf('b', 'y'.repeat(100))], 120)
    expect(listing.entries[1]?.text.length).toBeGreaterThan(20)
  })

  test('is the same object as before where nothing changed', async () => {
    let count = 0
    const { format } = await start({ use: name => (name === 's5' ? { count, lastUsed: 0 } : undefined) })
    const entries = many(10, 'x')
    const first = await format(entries, 10_000)
    expect(
      await format(
        entries.map(entry => ({ ...entry })),
        10_000,
      ),
    ).toBe(first)
    expect(
      await format(
        entries.map(entry => (entry.name === 's1' ? { ...entry, override: 'name-only' } : entry)),
        10_000,
      ),
    ).not.toBe(first)
    const again = await format(entries, 10_000)
    expect(await format(entries, 20_000)).not.toBe(again)
    expect(await format(entries, 10_000)).toBe(again)
    count = 1
    const second = await format(entries, 10_000)
    expect(second.entries[0]?.name).toBe('s5')
    expect(await format(entries.slice(1), 10_000)).not.toBe(second)
  })
})
