import { expect, test } from 'vitest'
import { columnOf, nameColumn } from './width.js'

test('a column is as wide as its widest text, up to a bound', () => {
  expect([columnOf([]), columnOf(['a', '日本']), columnOf(['a', '日本'], 3)]).toEqual([0, 4, 3])
})

test('a long name has its middle taken out, on a narrow terminal sooner', () => {
  const long = 'review-of-pull-requests-of-the-house'
  expect(nameColumn(['a', long], 50)).toEqual({
    title: 'NAME                ',
    names: ['a                   ', 'review-of…-the-house'],
  })
  expect(nameColumn(['a', long], 100).names[1]).toBe(long)
  expect(nameColumn(['日本語日本語日本語日本語日本語'], 50).names).toEqual(['日本語日…本語日本語'])
})

test('names that would look alike then stay whole', () => {
  const names = [
    'review-of-one-thing-in-the-house',
    'review-of-two-thing-in-the-house',
    'review-of-all-that-is-in-another',
  ]
  const shown = nameColumn(names, 40).names
  expect(new Set(shown.map(name => name.trim())).size).toBe(3)
  expect(nameColumn(['aaaaaaaaaaaa-1-bbbbbbbbbbbb', 'aaaaaaaaaaaa-2-bbbbbbbbbbbb'], 30).names).toEqual([
    'aaaaaaaaaaaa-1-bbbbbbbbbbbb',
    'aaaaaaaaaaaa-2-bbbbbbbbbbbb',
  ])
})
