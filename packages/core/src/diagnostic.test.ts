import { expect, test } from 'vitest'
import { locationOf } from './index.js'

test.each([
  [{}, ''],
  [{ line: 3 }, ''],
  [{ path: '/a' }, '/a'],
  [{ path: '/a', column: 2 }, '/a'],
  [{ path: '/a', line: 3 }, '/a:3'],
  [{ path: '/a', line: 3, column: 2 }, '/a:3:2'],
])('the place of %o is "%s"', (diagnostic, location) => {
  expect(locationOf(diagnostic)).toBe(location)
})
