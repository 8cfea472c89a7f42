import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutTo } from './cut-to.js'

const characters = fc
  .array(fc.constantFrom('a', ' ', 'é', 'e\u0301', '👩‍👩‍👧', '🇩🇪', '漢', '👍🏽', 'क्षि', '한', '…'))
  .map(parts => parts.join(''))

function boundaries(text: string): readonly number[] {
  return [...[...new Intl.Segmenter().segment(text)].map(({ index }) => index), text.length]
}

test.each<[string, number, string]>([
  ['abcdef', 6, 'abcdef'],
  ['abcdef', 5, 'abcd…'],
  ['abcdef', 1, ''],
  ['abcdef', 0, ''],
  ['', 0, ''],
  ['a👩‍👩‍👧b', 10, 'a👩‍👩‍👧b'],
  ['a👩‍👩‍👧bc', 10, 'a👩‍👩‍👧…'],
  ['a👩‍👩‍👧b', 9, 'a…'],
  ['👩‍👩‍👧b', 8, ''],
  ['ae\u0301b', 3, 'a…'],
])('%j in %i units is %j', (text, most, cut) => {
  expect(cutTo(text, most)).toBe(cut)
})

test('a cut text is no longer than asked for, ends between two characters, and could not be longer', () => {
  fc.assert(
    fc.property(characters, fc.nat(40), (text, most) => {
      const cut = cutTo(text, most)
      expect(cut.length).toBeLessThanOrEqual(most)
      const fitting = boundaries(text).filter(at => at <= most - 1)
      const end = fitting.at(-1) ?? 0
      expect(cut).toBe(text.length <= most ? text : end === 0 ? '' : `${text.slice(0, end)}…`)
    }),
  )
})
