import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entryOf, listed, many, start } from '../test/listing.js'

const claude = { strategy: 'proportional', maxDescription: 250, escape: 'angles', showsDisplayName: true } as const

test('each description has the same share, shorter ones leave theirs unused', async () => {
  const entries = [entryOf('a', 'x'.repeat(100)), entryOf('b', 'short'), entryOf('c', 'y'.repeat(100))]
  // 100 minus three times "- a: " minus two line breaks is 83, and a third of it 27.
  const listing = await listed(entries, 100, claude)
  expect(listing.text).toBe(`- a: ${'x'.repeat(26)}…\n- b: short\n- c: ${'y'.repeat(26)}…`)
  expect(listing.truncated).toEqual(['a', 'c'])
})

test('with a share below twenty there are names only', async () => {
  const entries = many(3, 'z'.repeat(100))
  const overhead = 3 * '- s0: '.length + 2
  expect((await listed(entries, overhead + 60, claude)).entries.map(({ shown }) => shown)).toEqual([
    'cut',
    'cut',
    'cut',
  ])
  expect((await listed(entries, overhead + 59, claude)).text).toBe('- s0\n- s1\n- s2')
})

test('names without room are left out without a word in the text', async () => {
  expect(await listed(many(5, 'z'), 14, claude)).toMatchObject({
    text: '- s0\n- s1\n- s2',
    omitted: ['s3', 's4'],
    truncated: ['s0', 's1', 's2'],
    usedChars: 14,
  })
})

test('a name that is too long leaves its room to those behind it', async () => {
  const entries = [entryOf('a', ''), entryOf('b'.repeat(60), ''), entryOf('c', '')]
  expect(await listed(entries, 10, claude)).toMatchObject({ text: '- a\n- c', omitted: ['b'.repeat(60)] })
})

test('a description with its when-to-use is cut at 250 with its mark, also with room for more', async () => {
  const listing = await listed([entryOf('a', 'x'.repeat(200), { whenToUse: 'y'.repeat(200) })], 8000, claude)
  expect(listing.text).toBe(`- a: ${'x'.repeat(200)} - ${'y'.repeat(46)}…`)
  expect(listing.truncated).toEqual(['a'])
})

test('a display name that differs from the name stands behind it', async () => {
  const entries = [entryOf('a', 'x', { displayName: 'Alpha\n<b>' }), entryOf('b', 'x')]
  expect((await listed(entries, 8000, claude)).text).toBe('- a (Alpha &lt;b&gt;): x\n- b: x')
  expect((await listed(entries, 8000, { strategy: 'proportional' })).text).toBe('- a: x\n- b: x')
  // With names only, the display name is not shown and takes no room.
  const short = [
    entryOf('a', 'x'.repeat(99), { displayName: 'Alpha' }),
    entryOf('b', 'x'.repeat(99), { displayName: 'Beta' }),
  ]
  expect(await listed(short, 7, claude)).toMatchObject({ text: '- a\n- b', omitted: [], usedChars: 7 })
})

test('bundled and pinned entries keep their descriptions while the others share what is left', async () => {
  const long = 'z'.repeat(100)
  const entries = [
    entryOf('a', long),
    entryOf('b', long, { source: 'bundled' }),
    entryOf('c', long, { override: 'pinned' }),
    entryOf('d', long),
  ]
  const fixed = 2 * `- a: ${long}`.length + 2 * '- a: '.length + 3
  const listing = await listed(entries, fixed + 61, claude)
  expect(listing.text).toBe(`- c: ${long}\n- a: ${'z'.repeat(29)}…\n- b: ${long}\n- d: ${'z'.repeat(29)}…`)
})

test('skills in code are over a window as in Claude Code, and never over a budget that is given', async () => {
  const entries = [...many(3, 'Something.'), entryOf('code', 'z'.repeat(100), { source: 'bundled' })]
  const { format } = await start(claude)
  expect(await format(entries, 1000)).toMatchObject({
    text: `- code: ${'z'.repeat(100)}`,
    budgetChars: 40,
    usedChars: 108,
    omitted: ['s0', 's1', 's2'],
  })
  expect(await listed(entries, 40, claude)).toMatchObject({ text: '- s0\n- s1\n- s2\n- code', usedChars: 21 })
})

test('a listing stays within its budget whenever names fit', async () => {
  const descriptions = fc.array(fc.string({ unit: 'grapheme', maxLength: 80 }), { minLength: 1, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(descriptions, fc.nat(1500), async (all, budget) => {
      const entries = all.map((description, at) => entryOf(`skill-${at}`, description))
      const { usedChars, omitted, text } = await listed(entries, budget + 1, claude)
      const names = entries.map(({ name }) => `- ${name}`).join('\n').length
      expect(usedChars).toBe(text.length)
      expect(usedChars).toBeLessThanOrEqual(budget + 1)
      expect(omitted.length === 0).toBe(names <= budget + 1)
    }),
    { numRuns: 60 },
  )
})
