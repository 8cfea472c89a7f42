import { expect, test } from 'vitest'
import { printableJson } from './printable.js'

test('JSON keeps its value and its own lines', () => {
  const value = { a: 'x\u009b31m\u202e\u{e0041}\u3164\u{e0100}\n' }
  const json = printableJson(JSON.stringify(value, undefined, 2))
  // oxlint-disable-next-line no-control-regex -- none of them may be left
  expect(json).not.toMatch(/[\u0000-\u0009\u007f-\u009f\u202e\u3164]|\u{e0100}/u)
  expect(json.split('\n')).toHaveLength(3)
  expect(JSON.parse(json)).toEqual(value)
})
