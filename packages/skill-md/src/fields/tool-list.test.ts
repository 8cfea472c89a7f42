import fc from 'fast-check'
import { readFields } from './read-fields.js'
import { expect, test } from 'vitest'
import { splitAtTopLevel, splitNames, splitPaths, splitTools } from './tool-list.js'

const name = fc.stringMatching(/^[A-Za-z_][\w*-]{0,6}$/)
const inside = fc
  .array(fc.constantFrom('git add', ' ', ',', ':*', '(x)', 'a b', '"'), { maxLength: 5 })
  .map(parts => parts.join(''))
const tool = fc.tuple(name, fc.option(inside)).map(([word, rule]) => (rule === null ? word : `${word}(${rule})`))
const separator = fc.constantFrom(' ', ',', ', ', ' ,', '  ', '\n', ',,', '\t')

test('tools that were joined come apart again, regardless of their rules hold', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(tool, separator)), separator, (tools, lead) => {
      const text = lead + tools.map(([word, gap]) => word + gap).join('')
      expect(splitTools(text)).toEqual(tools.map(([word]) => word))
    }),
  )
})

test('nothing is lost but separators and the white space around tools', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab(),: \n*') }), text => {
      const bare = (value: string) => value.replace(/[\s,]/g, '')
      expect(bare(splitTools(text).join(''))).toBe(bare(text))
      expect(splitTools(text, 'comma').every(part => part.trim() === part && part !== '')).toBe(true)
    }),
  )
})

test('splitting what was split changes nothing', () => {
  fc.assert(
    fc.property(fc.array(tool), tools => {
      expect(splitTools(splitTools(tools.join(' ')).join(', '))).toEqual(tools)
    }),
  )
})

test('64 KiB of brackets take no time to speak of', () => {
  const before = process.cpuUsage()
  expect(splitTools('('.repeat(65_536))).toHaveLength(1)
  expect(splitTools('),'.repeat(32_768))).toHaveLength(32_768)
  expect(splitPaths('{'.repeat(65_536))).toHaveLength(1)
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(500)
})

test('paths split at commas, not inside braces, nor where a comma is escaped', () => {
  expect(splitPaths('src/**, test/{a,b}/*.ts ,, lib\\,x')).toEqual(['src/**', 'test/{a,b}/*.ts', 'lib\\,x'])
  expect(splitPaths('my dir/*.md')).toEqual(['my dir/*.md'])
})

test('names split at commas and white space', () => {
  expect(splitNames(' file, line\tcolumn ')).toEqual(['file', 'line', 'column'])
})

test('a plain text is split as any text is', () => {
  const piece = fc.constantFrom(
    'Read',
    'Bash',
    '(git:*)',
    '(a b, c)',
    '(',
    ')',
    ',',
    ' ',
    ', ',
    '\t',
    '\n',
    '\v',
    '\u00a0',
    'é',
    '[',
    '"',
    "'",
    '-',
    '+',
    '*',
    '~',
    '\u007f',
    '\u0001',
    '(\t)',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), pieces => {
      expect(splitTools(pieces.join(''))).toEqual(splitAtTopLevel(pieces.join(''), 'comma-or-space'))
    }),
    { numRuns: 5_000 },
  )
})

test('read exactly, what grants tools is split at commas and spaces, and nothing more is read into it', () => {
  const read = (value: unknown) =>
    readFields({ 'allowed-tools': value }, { toolSeparator: 'exact' }).fields.allowedTools
  expect(read('Bash(touch:*), Bash(mkdir:*),')).toEqual(['Bash(touch:*)', 'Bash(mkdir:*)'])
  expect(read('Read Bash(git log:*) Write')).toEqual(['Read', 'Bash(git log:*)', 'Write'])
  expect(read(['Bash(a b:*)', 5, { name: 'Read' }])).toEqual(['Bash(a b:*)'])
  expect(read('["Bash(touch:*)"]')).toEqual(['["Bash(touch:*)"]'])
  expect(read('Bash(a:*)\nBash(b:*)')).toEqual(['Bash(a:*)\nBash(b:*)'])
  expect(
    readFields({ 'disallowed-tools': '["Bash(touch:*)"]' }, { toolSeparator: 'exact' }).fields.disallowedTools,
  ).toEqual(['Bash(touch:*)'])
})
