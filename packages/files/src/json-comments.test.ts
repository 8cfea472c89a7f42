import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withoutComments } from './json-comments.js'

test.each([
  ['{"a": 1, // one\n "b": [1, 2,], /* two\n lines */ }', { a: 1, b: [1, 2] }],
  ['{"a": "// no /* comment */ ,]"}', { a: '// no /* comment */ ,]' }],
  [String.raw`{"a": "\"// no"}`, { a: '"// no' }],
])('%s is read', (text, data) => {
  expect(JSON.parse(withoutComments(text))).toEqual(data)
})

test('what is JSON stays as it is, and everything stands where it did', () => {
  fc.assert(
    fc.property(fc.json(), json => {
      expect(withoutComments(json)).toBe(json)
    }),
  )
  fc.assert(
    fc.property(fc.array(fc.constantFrom('"', '\\', '/', '*', ',', ']', '}', '\n', 'a', ' ')), parts => {
      const text = parts.join('')
      const read = withoutComments(text)
      expect([read.length, read.split('\n').map(({ length }) => length)]).toEqual([
        text.length,
        text.split('\n').map(({ length }) => length),
      ])
    }),
  )
})
