import fc from 'fast-check'
import { expect, test } from 'vitest'
import { differenceOf } from '../page/difference.js'
import { indexed, isIn, matching, noFilter, ordered } from '../page/filter.js'
import { linkTo, routeOf } from '../page/address.js'
import { stretchesOf } from '../page/bar.js'
import type { SkillRow } from './api.js'

const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 }).map(all => all.join('\n'))

test('a difference leaves out no line that is gone or came, and says nothing of equal texts', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const found = differenceOf(before, after)
      expect(found.length === 0).toBe(before === after)
      const counts = (text: string): number => text.split('\n').length
      const [removed, added] = ['removed', 'added'].map(kind => found.filter(line => line.kind === kind).length)
      expect((added ?? 0) - (removed ?? 0)).toBe(counts(after) - counts(before))
    }),
  )
})

test('the filter wants every word, wherever it stands, in any order of rows', () => {
  const row = (name: string, errors: number) =>
    ({
      name,
      state: 'active',
      source: 'user',
      description: `Does ${name}`,
      path: null,
      reason: null,
      told: { told: 'whole', cause: null, chars: 0, of: 0 },
      errors,
      warnings: 0,
    }) as const
  const all = indexed([row('deploy-site', 0), row('Notes', 2), row('deploy-docs', 1)])
  const names = (words: string, order: 'name' | 'problems' = 'name') =>
    matching(ordered(all, order), { ...noFilter, words }).map(({ row: { name } }) => name)
  expect(names('DEPLOY does')).toEqual(['deploy-docs', 'deploy-site'])
  expect(names('', 'problems')).toEqual(['Notes', 'deploy-docs', 'deploy-site'])
  expect(matching(all, { ...noFilter, state: 'problems' })).toHaveLength(2)
})

test('the numbers of the landing are filters of the list', () => {
  const row = (
    name: string,
    told: SkillRow['told']['told'],
    { state = 'active', cause = null }: Partial<Pick<SkillRow, 'state'> & Pick<SkillRow['told'], 'cause'>> = {},
  ): SkillRow => ({
    name,
    state,
    source: 'user',
    description: null,
    path: null,
    reason: null,
    told: { told, cause, chars: 0, of: 0 },
    errors: 0,
    warnings: 0,
  })
  const rows = [
    row('a', 'whole'),
    row('b', 'cut', { cause: 'budget' }),
    row('c', 'name', { cause: 'budget' }),
    row('d', 'no', { cause: 'budget' }),
    row('e', 'user', { cause: 'flag' }),
    row('f', 'later'),
    row('g', 'no', { cause: 'permission' }),
    row('a', 'no', { state: 'shadowed', cause: 'shadowed' }),
  ]
  const all = indexed(rows, { costs: [{ name: 'a', tokens: 9 }], needsTrust: ['e'] })
  const inState = (state: string) => all.filter(one => isIn(state, one)).map(({ row: { name } }) => name)
  expect(['active', 'told-whole', 'told-cut', 'told-name', 'told-omitted', 'not-told', 'trust'].map(inState)).toEqual([
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
    ['a'],
    ['b'],
    ['c'],
    ['d'],
    ['e', 'f', 'g'],
    ['e'],
  ])
  expect(all.map(({ tokens }) => tokens)).toEqual([9, ...Array.from({ length: 7 })])
})

test('an address says everything that is shown, and is the same after it was read', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }),
      fc.string({ minLength: 1 }),
      fc.string({ minLength: 1 }),
      (name, path, words) => {
        const { view, more, ...rest } = routeOf(linkTo('skills', name, path, { words, state: '', pin: ['a', 'b'] }))
        expect({ view, ...rest }).toEqual({ view: 'skills', name, path })
        expect([...more]).toEqual([
          ['words', words],
          ['pin', 'a'],
          ['pin', 'b'],
        ])
      },
    ),
  )
  expect([routeOf('').view, routeOf(linkTo('home')).view, routeOf(linkTo('skills')).view]).toEqual([
    'home',
    'home',
    'skills',
  ])
})

test('the bar shows every entry in its order, in no more stretches than can be seen', () => {
  const entry = fc.record({
    name: fc.string(),
    shown: fc.constantFrom('whole' as const, 'cut' as const),
    chars: fc.nat(500),
  })
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 900 }), some => {
      const entries = some.map(one => ({ ...one, source: null, text: '', toldChars: 0, ofChars: 0 }))
      const usedChars = entries.reduce((sum, { chars }) => sum + chars, 0)
      const stretches = stretchesOf({ entries, usedChars })
      expect(stretches.flatMap(({ names }) => names)).toEqual(entries.map(({ name }) => name))
      expect(stretches.reduce((sum, { chars }) => sum + chars, 0)).toBe(usedChars)
    }),
  )
})
