import fc from 'fast-check'
import { promptCommand, type CatalogEntry } from '@skills/core'
import { describe, expect, test } from 'vitest'
import { dealt, shares } from './dealt.js'

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

  test('deals a token to each in turn and in order, and counts a path for each', () => {
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

  test('does not cut in the middle of a character', () => {
    const [entry] = lay([entryOf('a', '😀'.repeat(20))], 4 * (7 + 1)).entries
    expect(entry?.text).toBe('- a: 😀😀')
  })
})

test('shares use the room, and differ by one unless less is wanted', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(60), { maxLength: 12 }), fc.nat(400), (wanted, room) => {
      const given = shares(wanted, room)
      const sum = given.reduce((all, one) => all + one, 0)
      const open = given.filter((one, at) => one < (wanted[at] ?? 0))
      expect(sum).toBe(open.length === 0 ? wanted.reduce((all, one) => all + one, 0) : room)
      expect(Math.max(...given) - Math.min(Infinity, ...open)).toBeLessThanOrEqual(1)
    }),
  )
})
