import { expect, test } from 'vitest'
import { columnOf } from './width.js'

test('a column is as wide as its widest text, up to a bound', () => {
  expect([columnOf([]), columnOf(['a', '日本']), columnOf(['a', '日本'], 3)]).toEqual([0, 4, 3])
})
