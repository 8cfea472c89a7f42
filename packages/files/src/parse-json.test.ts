import { expect, test } from 'vitest'
import { isTooDeep, parseJson } from './parse-json.js'

const nested = (levels: number): string => '[{"a":'.repeat(levels / 2) + '1' + '}]'.repeat(levels / 2)

test.each([
  ['a hundred levels', nested(100), false],
  ['more of them', nested(102), true],
  ['levels that are text', JSON.stringify({ a: '['.repeat(500), 'b\\': '{"\\'.repeat(500) }), false],
  ['lists side by side', `[${'[],'.repeat(5000)}[]]`, false],
  ['levels behind a text with a quote', `["\\"[",${'['.repeat(200)}`, true],
  ['a text that does not end', `"${'['.repeat(500)}`, false],
] as const)('%s', (_what, text, isDeep) => {
  expect(isTooDeep(text)).toBe(isDeep)
})

test('what is too deep is not parsed, and said in words', () => {
  expect(parseJson(nested(100))).toBeDefined()
  expect(() => parseJson('['.repeat(1_000_000))).toThrow('it is nested more than 100 levels deep')
  expect(() => parseJson('{')).toThrow(SyntaxError)
})
