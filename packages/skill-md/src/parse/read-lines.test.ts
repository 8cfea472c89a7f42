import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readLines } from './read-lines.js'

const read = (text: string) => readLines(Buffer.from(text), Buffer.byteLength(text), true)

test.each<[string, string, Record<string, unknown>, string]>([
  ['a line is split at its first colon', '---\na: b: c\n---\nB', { a: 'b: c' }, 'B'],
  [
    'quotes around a value are dropped',
    '---\na: "b"\nc: \'d\'\ne: "f\ng: ""\n---\n',
    { a: 'b', c: 'd', e: '"f', g: '' },
    '',
  ],
  ['nothing is nested', '---\na:\n  - b\n  c: d\n---\nB', { a: '', c: 'd' }, 'B'],
  ['CRLF and a byte order mark', '\ufeff---\r\na: b\r\n---\r\nB', { a: 'b' }, 'B'],
  ['a block that is never closed is none', '---\na: b\nB', {}, '---\na: b\nB'],
  ['no block', 'B: c\n---\n', {}, 'B: c\n---\n'],
  ['the end of the file closes too', '---\na: b\n---', { a: 'b' }, ''],
  ['keys that reach a prototype', '---\n__proto__: x\na: b\n---\n', { a: 'b' }, ''],
])('%s', (_what, text, data, body) => {
  const found = read(text)
  expect(found?.data).toEqual(data)
  expect(Buffer.from(text).toString('utf8', found?.bodyStart)).toBe(body)
})

test('the beginning of a file asks for more until the block closes', () => {
  const bytes = Buffer.from('---\na: b\n---\nBody')
  expect([3, 8, 12].map(length => readLines(bytes, length, false))).toEqual([undefined, undefined, undefined])
  expect(readLines(bytes, 13, false)).toEqual(readLines(bytes, bytes.length, true))
})

test('a block of more than 64 KiB is none', () => {
  expect(read(`---\n${'a: b\n'.repeat(20_000)}---\n`)).toMatchObject({ hasFrontmatter: false, bodyStart: 0 })
})

test('the body is the end of any file, and what was read of its beginning holds for all of it', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('---', 'a: b', ' ', 'c', '"', '\r', ':')), fc.nat(), (lines, cut) => {
      const bytes = Buffer.from(lines.join('\n'))
      const whole = readLines(bytes, bytes.length, true)
      expect(whole?.bodyStart).toBeLessThanOrEqual(bytes.length)
      const part = readLines(bytes, Math.min(cut, bytes.length), false)
      expect(part ?? whole).toEqual(whole)
    }),
  )
})
