import { expect, it } from 'vitest'
import { oneLine } from './one-line.js'

it.each([
  ['a\n\nb', 'a b'],
  ['a\n b', 'a  b'],
  ['a  b', 'a  b'],
  ['a\u00a0\u00a0b', 'a\u00a0\u00a0b'],
  ['a\u200b\u200bb', 'a b'],
  ['a\u0001\tb', 'a b'],
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]0;title\u0007a', 'a'],
  ['a\u202e\u2066b', 'a b'],
  ['<b>&</b>', '&lt;b&gt;&&lt;/b&gt;'],
  [' a ', 'a'],
])('%j keeps its spaces and is %j', (text, line) => {
  expect(oneLine(text, 'spaced')).toBe(line)
})
