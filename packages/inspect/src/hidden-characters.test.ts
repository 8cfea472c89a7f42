import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hiddenCharacters, spelledByTags } from './hidden-characters.js'

const tags = Array.from('obey', letter => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')

test.each([
  ['a control character', 'a\u001b[2J', [{ kind: 'control', start: 1, count: 1, first: 'U+001B' }]],
  ['a separator of lines that is none to most', 'a\u2028', [{ kind: 'control', start: 1, count: 1, first: 'U+2028' }]],
  [
    'an override of direction',
    'a\u202eb\u202c',
    [
      { kind: 'bidirectional', start: 1, count: 1, first: 'U+202E' },
      { kind: 'bidirectional', start: 3, count: 1, first: 'U+202C' },
    ],
  ],
  ['tags', `a${tags}b`, [{ kind: 'tag', start: 1, count: 4, first: 'U+E006F' }]],
  ['selectors in a row, which can spell too', 'a\ufe01\ufe02b', [{ kind: 'tag', start: 1, count: 2, first: 'U+FE01' }]],
  ['characters without width', 'a\u200b\u2060b', [{ kind: 'invisible', start: 1, count: 2, first: 'U+200B' }]],
  ['a byte order mark in the middle', 'a\ufeff', [{ kind: 'invisible', start: 1, count: 1, first: 'U+FEFF' }]],
  [
    'a joiner between Latin words and spaces',
    'a \u200d b',
    [{ kind: 'invisible', start: 2, count: 1, first: 'U+200D' }],
  ],
] as const)('%s is found', (_, text, found) => {
  expect([...hiddenCharacters(text)]).toEqual(found)
})

test.each([
  ['plain text', 'a\tb\r\nc'],
  ['a byte order mark at the beginning', '\ufeffa'],
  ['an emoji of several', '👩‍💻 and 🏳️‍🌈'],
  ['a skin colour before a joiner', '👩🏽‍💻'],
  ['a flag of a region', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
  ['a script that is written with joiners', 'می‌خواهم क्‍ष'],
  ['an ideograph of a variant form', '葛\u{e0100}'],
  ['a sign with a selector', '❤️ ☎︎'],
  ['marks of direction and soft hyphens', 'a\u200e\u00ad'],
])('%s is not found', (_, text) => {
  expect([...hiddenCharacters(text)]).toEqual([])
})

test('what tags spell is told', () => {
  expect(spelledByTags(tags)).toBe('obey')
  expect(spelledByTags('\ufe01')).toBe('')
})

test('every run lies in the text, in order, and visible text around it changes nothing', () => {
  const pieces = fc.constantFrom('a', '\n', '\u202e', '\u200b', '\u{e0041}', '\u0007', 'é', '😀', ' ')
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), parts => {
      const text = parts.join('')
      const found = [...hiddenCharacters(text)]
      for (const { start, first } of found)
        expect(`U+${text.codePointAt(start)?.toString(16).toUpperCase().padStart(4, '0')}`).toBe(first)
      expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(
        parts.filter(part => ['\u202e', '\u200b', '\u{e0041}', '\u0007'].includes(part)).length,
      )
      expect([...hiddenCharacters(`xx${text}xx`)].map(({ start }) => start - 2)).toEqual(
        found.map(({ start }) => start),
      )
    }),
  )
})
