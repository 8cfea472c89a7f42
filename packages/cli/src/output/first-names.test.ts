import { expect, test } from 'vitest'
import { firstNames } from './first-names.js'

test('names stand in one line, as many as are wanted, and the rest is counted', () => {
  expect(firstNames([], 2)).toBe('')
  expect(firstNames(['a', 'b'], 2)).toBe('a, b')
  expect(firstNames(['a', 'b\n\u001b', 'c', 'd'], 2)).toBe('a, b <U+001B> and 2 more')
})
