import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseSlash } from './index.js'

const isName = (name: string): boolean => ['a', 'b', 'git:push'].includes(name)

test.each<[string, [string, string][]]>([
  ['/a', [['a', '']]],
  ['/a  two  words ', [['a', ' two  words ']]],
  ['/a\tx\ny', [['a', 'x\ny']]],
  ['/unknown x', [['unknown', 'x']]],
  [
    '/a /b rest',
    [
      ['a', ''],
      ['b', 'rest'],
    ],
  ],
  [
    '/a   /git:push',
    [
      ['a', ''],
      ['git:push', ''],
    ],
  ],
  ['/a /etc/passwd', [['a', '/etc/passwd']]],
  [
    '/a /a /a /a /a /a /a x',
    [
      ['a', ''],
      ['a', ''],
      ['a', ''],
      ['a', ''],
      ['a', ''],
      ['a', '/a x'],
    ],
  ],
  ['/', []],
  ['a', []],
  [' /a', []],
  ['/ a', []],
  ['', []],
])('%j', (line, calls) => {
  expect(parseSlash(line, isName).map(({ name, args }) => [name, args])).toEqual(calls)
})

test('arguments are kept to the letter', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }).filter(text => !text.trimStart().startsWith('/')),
      args => {
        expect(parseSlash(`/a ${args}`, isName)).toEqual([{ name: 'a', args }])
      },
    ),
  )
})

test('a line that begins with two slashes is text', () => {
  expect(parseSlash('//a one', isName)).toEqual([])
})

test('white space around the arguments is removed if the rules say so', () => {
  expect(parseSlash('/a  one two\n', isName, { trims: true })).toEqual([{ name: 'a', args: 'one two' }])
})
