import fc from 'fast-check'
import { expect, test } from 'vitest'
import { repairDocument } from '../write/write-document.js'
import { loadParser } from './parser.js'

// Many runs, on a machine that may be busy.

const parser = await loadParser()

function read(text: string) {
  const parsed = parser.parse(Buffer.from(text))
  if ('needMore' in parsed) throw new Error('a whole file never needs more')
  return parsed
}

const piece = fc.constantFrom(
  '\n',
  '\n  ',
  '\n    ',
  '\n- ',
  '\n  - ',
  'name',
  'description',
  'a',
  'b: ',
  'c:',
  'key: ',
  ': ',
  ':',
  ' #',
  ' # c',
  '#',
  '"',
  "'",
  "''",
  '\\"',
  '\\d',
  '[',
  ']',
  '{',
  '}',
  ', ',
  '|',
  '>',
  '|-',
  '- ',
  '-',
  '?',
  '? ',
  '!',
  '&a ',
  '*a',
  '<<: *a',
  '~',
  'null',
  '1.10',
  'more words',
  'é',
  '日本',
  '\u00a0',
  '\u2028',
  '\r\n',
  '\t',
  ' ',
  '%',
  '@',
  '`',
  '...',
  '--',
  '__proto__',
  '"a"',
  "'b'",
  '"a": b',
  '- k: v',
)
const block = fc
  .array(
    fc.tuple(
      fc.constantFrom('name', 'x', 'metadata', 'description'),
      fc.constantFrom(':', ': ', ': ', ': '),
      fc.array(piece, { maxLength: 5 }),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map(pairs => pairs.map(([key, colon, pieces]) => `${key}${colon}${pieces.join('')}\n`).join(''))

test('no block makes the parser throw, and every diagnostic has its place', () => {
  fc.assert(
    fc.property(block, text => {
      const lines = text.split(/\r\n|\n|\r/).length + 1
      for (const { line, column, message } of read(`---\n${text}---\nBody`).diagnostics) {
        expect(line).toBeGreaterThan(0)
        expect(line).toBeLessThanOrEqual(lines)
        expect(column).toBeGreaterThan(0)
        expect(message).not.toContain('undefined')
      }
    }),
    { numRuns: 1_500 },
  )
})

test('what was repaired needs no repair and gives the same data', () => {
  let repaired = 0
  fc.assert(
    fc.property(block, text => {
      const first = read(`---\n${text}---\nBody`)
      if (!first.ok || first.repaired === undefined) return
      repaired++
      const second = read(`---\n${first.repaired}---\nBody`)
      expect(second).toMatchObject({ ok: true, data: first.data })
      expect(second.ok && second.repaired).toBeUndefined()
    }),
    { numRuns: 1_500 },
  )
  expect(repaired).toBeGreaterThan(300)
})

test('a valid block is not touched', () => {
  let valid = 0
  fc.assert(
    fc.property(block, text => {
      const parsed = read(`---\n${text}---\nBody`)
      if (!parsed.ok || parsed.diagnostics.length > 0) return
      valid++
      expect(parsed.repaired).toBeUndefined()
    }),
    { numRuns: 500 },
  )
  expect(valid).toBeGreaterThan(50)
})

test('any text survives in a plain value of one line', () => {
  const line = fc.string({ unit: fc.constantFrom(...'ab :#-"\'[]{}&*!|>%@`,?$\\'), minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(line, text => {
      const value = text.trim()
      const parsed = read(`---\nname: a: b\ndescription: ${value}\nlicense: MIT\n---\n`)
      expect(parsed, JSON.stringify(parsed)).toMatchObject({ ok: true, data: { name: 'a: b', license: 'MIT' } })
    }),
    { numRuns: 1_000 },
  )
})

test('a whole file is written anew: fences, line ends, body and comments', async () => {
  expect(
    await repairDocument(
      '\uFEFF<!-- licence -->\r\n---\r\nname: a: b\r\n# kept\r\nversion: 1\r\n---# Title\r\nBody\r\n',
    ),
  ).toBe("\uFEFF---\r\nname: 'a: b'\r\n# kept\r\nversion: 1\r\n---\r\n<!-- licence -->\r\n# Title\r\nBody\r\n")
  expect(await repairDocument('---\nallowed-tools: [Bash\ndescription: [x\n---\nBody')).toBe(
    "---\nallowed-tools: [Bash]\ndescription: '[x'\n---\nBody",
  )
  expect(await repairDocument('---\nname: a\n---\nBody')).toBeUndefined()
  expect(await repairDocument('---\nname: a\n- b\n---\nBody')).toBeUndefined()
  expect(await repairDocument('# Title')).toBeUndefined()
})
