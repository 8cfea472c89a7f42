import fc from 'fast-check'
import { stemmer } from 'stemmer'
import { expect, test } from 'vitest'
import { SearchWords } from './search-words.js'

const endings = [
  '',
  's',
  'es',
  'ies',
  'y',
  'e',
  'ed',
  'ing',
  'ly',
  'able',
  'ible',
  'ability',
  'ibility',
  'ation',
  'ational',
]
const more = [
  'ization',
  'izer',
  'iveness',
  'ivity',
  'fulness',
  'ousness',
  'ously',
  'alism',
  'ality',
  'ally',
  'ence',
  'ency',
]
const word = fc.oneof(
  fc.constantFrom('deploy', 'carries', 'happily', 'hoping', 'sensibility', 'v2', 'a'),
  fc
    .tuple(
      fc.constantFrom('hop', 'hopp', 'tun', 'rat', 'sens', 'relat', 'digit', 'v', 'oper', 'happ'),
      fc.constantFrom(...endings, ...more),
    )
    .map(parts => parts.join('')),
)

test('the only query finds the words that it finds among all', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), word, (all, asked) => {
      const every = new SearchWords(stemmer)
      const only = new SearchWords(stemmer, [asked])
      for (const one of all) {
        every.add(one, false)
        only.add(one, false)
      }
      const foundIn = (words: SearchWords): readonly string[] =>
        [words.alike(words.stemOf(asked)), words.beginningWith(asked), words.resembling(asked)].map(numbers =>
          numbers
            .map(number => words.word(number))
            .toSorted()
            .join(' '),
        )
      expect(foundIn(only)).toEqual(foundIn(every))
    }),
  )
})

test('each word that a word finds by its stem or as its beginning begins with the same letters', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), word, (all, asked) => {
      const words = new SearchWords(stemmer)
      for (const one of all) words.add(one, false)
      const beginning = words.beginningOf(asked)
      for (const number of [...words.alike(words.stemOf(asked)), ...words.beginningWith(asked)])
        expect(words.word(number).startsWith(beginning), `${asked} finds ${words.word(number)}`).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('a word of a body is no typing error of another', () => {
  const words = new SearchWords(stemmer)
  const shown = words.add('terraform', false)
  words.add('terraforn', true)
  expect(words.resembling('teraform')).toEqual([shown])
  expect(words.add('terraforn', false)).toBe(1)
  expect(words.resembling('teraform')).toEqual([0, 1])
})
