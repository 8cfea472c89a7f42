import fc from 'fast-check'
import { expect, it, test } from 'vitest'
import { placeOfJsonError } from './index.js'

test.each([
  ['{\n  "deny": [\n    "Skill(a)",\n  ]\n}', 4, 3],
  ['{"a":1,}', 1, 8],
  ['{"a" 1}', 1, 6],
  ['{\n"a": 1\n"b": 2}', 3, 1],
  ['["a"] x', 1, 7],
  ['{"a":"b\n"}', 1, 6],
  ['{"a": 01}', 1, 8],
  ['[1 2]', 1, 4],
  ['{', 1, 2],
  ['', 1, 1],
  ['// no\n{}', 1, 1],
  ['"\\x"', 1, 1],
  ['[}', 1, 2],
])('%j is no JSON from %d:%d on', (text, line, column) => {
  expect(placeOfJsonError(text)).toEqual({ line, column })
})

it('finds an error in exactly what is no JSON', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"\\u00e9"',
      '"',
      '1',
      '-0',
      '1e5',
      '01',
      'true',
      'null',
      'nul',
      ' ',
      '\n',
      '\t',
      '\u00a0',
      '//',
      '\\',
    ),
    fc.string({ maxLength: 2 }),
  )
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.array(piece, { maxLength: 2 }))
    .map(
      ([json, at, more]) => json.slice(0, at % (json.length + 1)) + more.join('') + json.slice(at % (json.length + 1)),
    )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        broken,
        fc.array(piece).map(pieces => pieces.join('')),
      ),
      text => {
        let isJson = true
        try {
          JSON.parse(text)
        } catch {
          isJson = false
        }
        expect(placeOfJsonError(text) === undefined).toBe(isJson)
      },
    ),
    { numRuns: 3000 },
  )
})

it('goes through a long and deep text once', () => {
  expect(placeOfJsonError(`${'['.repeat(500_000)}${']'.repeat(499_999)}`)).toEqual({ line: 1, column: 1_000_000 })
  expect(placeOfJsonError(`["${'\\"x'.repeat(300_000)}",]`)).toEqual({ line: 1, column: 900_005 })
  expect(placeOfJsonError(`{}${' '.repeat(1_000_000)}`)).toBeUndefined()
})
