import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Graphemes } from './graphemes.js'

const characters = fc
  .array(fc.constantFrom('a', ' ', 'é', 'e\u0301', '👩‍👩‍👧', '🇩🇪', '漢', '👍🏽', 'क्षि', '한', '…'))
  .map(parts => parts.join(''))

function boundaries(text: string): readonly number[] {
  return [...[...new Intl.Segmenter().segment(text)].map(({ index }) => index), text.length]
}

test('characters are counted as a reader sees them, in any order they are asked for', () => {
  fc.assert(
    fc.property(characters, fc.array(fc.nat(50)), (text, counts) => {
      const all = boundaries(text)
      const graphemes = new Graphemes(text)
      for (const count of counts) expect(graphemes.unitsOf(count)).toBe(all[Math.min(count, all.length - 1)])
    }),
  )
})

test('a character without end counts as several, each of whole code points', () => {
  const graphemes = new Graphemes(`a${'\u0301'.repeat(50)}`)
  expect([1, 2, 3, 4, 5].map(count => graphemes.unitsOf(count))).toEqual([16, 32, 48, 51, 51])
  const chain = new Graphemes(`${'👩‍'.repeat(20)}👩`)
  for (let count = 1; count < 5; count++)
    expect(`${'👩‍'.repeat(20)}👩`.slice(0, chain.unitsOf(count))).not.toMatch(/\p{Cs}/u)
})
