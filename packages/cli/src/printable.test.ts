import { expect, test } from 'vitest'
import { oneLine, printable, printableJson } from './printable.js'

test('what a terminal obeys is shown as its number', () => {
  expect(printable('a\u001b[31mb\u009bc\u202ed\ne\u{e0041}')).toBe('a<U+001B>[31mb<U+009B>c<U+202E>d<U+000A>e<U+E0041>')
})

test('letters of any script and joined emoji stay', () => {
  const text = 'é ü 漢字 ‌ن 👩‍👩‍👧'
  expect(printable(text)).toBe(text)
})

test('a description is one line', () => {
  expect(oneLine('  one\n\ttwo\r\nthree\u2028four  ')).toBe('one two three four')
})

test('JSON keeps its value and its own lines', () => {
  const value = { a: 'x\u009b31m\u202e\u{e0041}\n' }
  const json = printableJson(JSON.stringify(value, undefined, 2))
  // oxlint-disable-next-line no-control-regex -- none of them may be left
  expect(json).not.toMatch(/[\u0000-\u0009\u007f-\u009f\u202e]/)
  expect(json.split('\n')).toHaveLength(3)
  expect(JSON.parse(json)).toEqual(value)
})
