import fc from 'fast-check'
import { promptCommand, type CatalogEntry } from '@skills/core'
import { describe, expect, test } from 'vitest'
import { dealOut, dealt, type DealtLine } from './dealt.js'

const entryOf = (name: string, description: string): CatalogEntry => ({
  name,
  command: promptCommand({
    name,
    source: 'project',
    description,
    filePath: `/repo/.agents/skills/${name}/SKILL.md`,
    load: () => ({ template: '' }),
  }),
  provider: 'project',
  override: 'on',
  isQualified: false,
})

const lay = (
  entries: readonly CatalogEntry[],
  budget: number,
  maxDescription = 1024,
  own: readonly (readonly [string, number])[] = [],
) => dealt({ escape: 'tags', maxDescription, own }).lay(entries, budget, { searchTool: undefined, step: 0 })

describe('a dealt listing', () => {
  test('has whole descriptions while there is room, and cuts long ones at any budget', () => {
    const draft = lay([entryOf('a', 'Does a.'), entryOf('b', 'x'.repeat(1025))], Infinity)
    expect(draft.text).toBe(`- a: Does a.\n- b: ${'x'.repeat(1021)}...`)
    expect(draft.entries.map(({ shown, isCapped }) => [shown, isCapped])).toEqual([
      ['whole', undefined],
      ['cut', true],
    ])
  })

  test('deals a character to each in turn and in order, counts a path for each, and fills a token that is begun', () => {
    // Each line has 28 characters without its description, which are 7 tokens.
    const entries = ['a', 'b', 'c'].map(name => entryOf(name, name.repeat(20)))
    const { entries: shown } = lay(entries, 4 * (3 * 7 + 3 * 2 + 1))
    expect(shown.map(({ text, shown: how }) => [text, how])).toEqual([
      [`- a: ${'a'.repeat(12)}`, 'cut'],
      [`- b: ${'b'.repeat(8)}`, 'cut'],
      [`- c: ${'c'.repeat(8)}`, 'cut'],
    ])
    expect(lay(entries, 0).entries.map(({ text, shown: how }) => [text, how])).toEqual(
      ['a', 'b', 'c'].map(name => [`- ${name}: `, 'name']),
    )
  })

  test('gives skills of the program their share first', () => {
    const entries = [entryOf('a', 'a'.repeat(20))]
    const [entry] = lay(entries, 4 * (2 * 7 + 3), 1024, [['o', 100]]).entries
    expect(entry?.text).toBe(`- a: ${'a'.repeat(4)}`)
  })

  test('counts bytes: the same number of characters takes more room in other alphabets', () => {
    const entries = [entryOf('a', 'エージェントの診断と評価'), entryOf('b', 'b'.repeat(40))]
    // Eight characters of three bytes are six tokens, eight of one byte are two.
    const texts = lay(entries, 4 * (2 * 7 + 6 + 2)).entries.map(({ text }) => text)
    expect(texts).toEqual(['- a: エージェントの診', `- b: ${'b'.repeat(8)}`])
  })

  test('does not cut in the middle of a character', () => {
    const [entry] = lay([entryOf('a', '😀'.repeat(20))], 4 * (7 + 1)).entries
    expect(entry?.text).toBe('- a: 😀')
  })
})

test('a deal uses the room as one by single characters does', () => {
  const line = fc.record({ base: fc.nat(12), units: fc.array(fc.constantFrom(1, 1, 1, 2, 3, 4), { maxLength: 30 }) })
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.nat(120), (given, room) => {
      const lines = given.map(({ base, units }): DealtLine => {
        const ends = [0]
        for (const one of units) ends.push((ends.at(-1) ?? 0) + one)
        return { base, length: units.length, ends }
      })
      const cost = (at: number, count: number): number =>
        Math.ceil(((lines[at]?.base ?? 0) + (lines[at]?.ends?.[count] ?? 0)) / 4)
      const counts = lines.map(() => 0)
      let left = room - counts.reduce((sum, _count, at) => sum + cost(at, 0), 0)
      let before = -1
      while (left >= 0 && before !== (before = counts.reduce((sum, one) => sum + one, 0)))
        for (const [at, count] of counts.entries()) {
          const more = cost(at, count + 1) - cost(at, count)
          if (count >= (lines[at]?.length ?? 0) || more > left) continue
          counts[at] = count + 1
          left -= more
        }
      fc.pre(left >= 0)
      expect(dealOut(lines, room)).toEqual(counts)
    }),
  )
})
