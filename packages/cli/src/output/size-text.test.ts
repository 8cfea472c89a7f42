import { expect, test } from 'vitest'
import { sizeText } from './size-text.js'

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [1234, '1.2 kB'],
  [9949, '9.9 kB'],
  [9950, '10 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [35_000_000, '35 MB'],
  [2e15, '2000 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})
