import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { KeyLines, lineOfPath } from './index.js'
import { placeOfJsonError, type KeyPath } from './json-places.js'

/** Returns every key of a value with its line, for a text with one line for each key, element and bracket. */
function linesOf(value: unknown, path: KeyPath = [], line = { now: 1 }): readonly (readonly [KeyPath, number])[] {
  if (typeof value !== 'object' || value === null) return []
  const isList = Array.isArray(value)
  const entries = Object.entries(value).map(([key, inner]) => [isList ? Number(key) : key, inner] as const)
  const found = entries.flatMap(([key, inner]) => {
    line.now++
    const here = [...path, key]
    const own = isList ? [] : [[here, line.now] as const]
    return [...own, ...linesOf(inner, here, line)]
  })
  if (entries.length > 0) line.now++
  return found
}

const word = fc.oneof(fc.constantFrom('a', 'b', '"', '\\', '{', '[0', ',', '\n', ':'), fc.string())
const { value } = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    word,
    fc.integer(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(word, tie('value'), { maxKeys: 4 }),
  ),
}))

describe('the line of a key', () => {
  it('is the one on which it stands, with any text around it', () => {
    fc.assert(
      fc.property(value, given => {
        const text = JSON.stringify(given, null, 1)
        for (const [path, line] of linesOf(JSON.parse(text))) expect(lineOfPath(text, path)).toBe(line)
        for (const [path] of linesOf(JSON.parse(text))) expect(lineOfPath(JSON.stringify(given), path)).toBe(1)
      }),
    )
  })

  it('is found in proportion to the text, however long its keys are, and not in what is too deep', () => {
    const shapes = [
      ...[99, 250_000].flatMap(deep => [
        `{"x":${'['.repeat(deep)}${']'.repeat(deep)}}`,
        `${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}`,
      ]),
      `{"${'k'.repeat(500_000)}":{${Array.from({ length: 40_000 }, (_, at) => `"${at}":0`).join()}},\n"y":0}`,
    ]
    const before = process.cpuUsage()
    for (const text of shapes) {
      const lines = new KeyLines(text)
      expect([lines.of(['y']), lines.near(['x', 0, 'z', 'a'])]).toEqual(
        text.endsWith('"y":0}')
          ? [2, undefined]
          : [undefined, text.startsWith('{"x"') && text.length < 1000 ? 1 : undefined],
      )
    }
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(5_000)
  })

  it('tells what stands twice, however it is written', () => {
    const lines = new KeyLines(String.raw`{"a":{"b":1,"c":{"b":2},"\u0062":3},"c":[1,1],"d":0,"d":0}`)
    expect(
      [['a'], ['a', 'b'], ['a', 'c'], ['a', 'c', 'b'], ['c', 1], ['d'], ['e']].filter(path => lines.isRepeated(path)),
    ).toEqual([['a', 'b'], ['d']])
  })

  it('is that of the later of two, and of none there is none', () => {
    expect(lineOfPath('{ "a": 1,\n "a": 2 }', ['a'])).toBe(2)
    expect(lineOfPath('[\n{ "a": 1 },\n[],\n"a", 4,\n{}]', [4])).toBe(5)
    expect(lineOfPath('{"a":[{"b":1}],\n"a":[{"c":1}]}', ['a', 0, 'b'])).toBeUndefined()
    for (const path of [['b'], ['a', 'b'], [0], []]) expect(lineOfPath('{ "a": "b" }', path)).toBeUndefined()
  })
})

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

it('goes through a long text once, and through none that is too deep', () => {
  expect(placeOfJsonError(`${'['.repeat(100)}${']'.repeat(99)}`)).toEqual({ line: 1, column: 200 })
  expect(placeOfJsonError(`${'['.repeat(500_000)}${']'.repeat(499_999)}`)).toBeUndefined()
  expect(placeOfJsonError(`["${'\\"x'.repeat(300_000)}",]`)).toEqual({ line: 1, column: 900_005 })
  expect(placeOfJsonError(`{}${' '.repeat(1_000_000)}`)).toBeUndefined()
})
