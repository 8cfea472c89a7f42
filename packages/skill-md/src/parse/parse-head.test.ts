import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadParser, parseHead, parseYaml, readHead } from './parser.js'

// Many runs, on a machine that may be busy.

const parser = await loadParser()

const block = (lines: string) => Buffer.from(`---\n${lines}\n---\nBody`)

describe('repairs and files without a block', () => {
  test.each<[string, string, string[]]>([
    ['a text with a colon', 'name: x\ndescription: Use when: always', ['unquoted-text']],
    ['one that ends with a colon', 'description: Use when:\nname: x', ['unquoted-text']],
    ['a reserved character', 'name: x\ndescription: @mention them', ['reserved-character']],
    ['a bracket that never closes', 'name: x\ndescription: [open', ['unclosed-value']],
    ['two of them', 'name: a: b\ntags: [a, "b: c"]\ndescription: `x`', ['unquoted-text', 'reserved-character']],
    [
      'a list and a map before it',
      'metadata:\n  a: "b: c"\nallowed-tools:\n  - Read\n  - "Bash(git: *)"\ndescription: a: b',
      ['unquoted-text'],
    ],
    ['a quoted text over lines', 'name: x\ndescription:\n  "Use when: always,\n  and more."', []],
    ['a comment behind a quoted text', 'name: "x" # why\ndescription: y', []],
  ])('%s', (_, lines, codes) => {
    const quick = readHead(block(lines))
    expect(quick).toEqual(parser.parse(block(lines)))
    expect(quick).toMatchObject({ ok: true, diagnostics: codes.map(code => ({ code })) })
  })

  test('files without frontmatter, and those that are no text', () => {
    for (const text of [
      'Just a text.',
      '<!-- a comment -->\n# Title\n',
      '\n\n# Title',
      '',
      '---\nname: x\n',
      '---js\nx\n---\n',
      'a\0b',
    ]) {
      for (const whole of [true, false]) {
        const quick = readHead(Buffer.from(text), { whole })
        expect(quick, JSON.stringify(text)).toEqual(parser.parse(Buffer.from(text), { whole }))
        expect(quick, JSON.stringify(text)).toBeDefined()
      }
    }
    // The bytes end within a character.
    expect(readHead(Buffer.from('# x\n\u65e5').subarray(0, 6), { whole: false })).toMatchObject({ ok: true, data: {} })
  })
})

test.each([
  'name: "never closed\ndescription: x',
  'a: &b c\nd: e: f',
  'a: *b',
  '- a\n- b',
  'text',
  'a: {b: c}',
  'a: b\na: c',
  '__proto__: x',
  'a: b: c\n__proto__: d',
  'a: "b" c: d\ne: f: g',
  'a: "x\nb: c: d\n"',
  'a:\n\t- b: c: d',
  '? a\n: b',
  'name:x',
  '# nothing',
])('what only a library can tell is left to it: %j', async lines => {
  expect(await parseHead(block(lines))).toEqual(parser.parse(block(lines)))
})

const value = fc.oneof(
  fc.constantFrom(
    'text',
    'some: text',
    'a # b',
    'a #b: c',
    'ends:',
    '"quoted: text"',
    "'it''s'",
    '"open',
    '[a, b]',
    '[a',
    '{a: b',
    '{a: b}',
    '@x',
    '`x`',
    '%x',
    '*x',
    '&x y',
    '|',
    '>-',
    '',
    '- a: b',
    'a\n  b: c',
    '"a\n  b"',
    "'a\n\n  b'",
    '"a"  # b',
    '"a" #b',
    '"a\\n\n  b"',
    '"a\n b\n  "',
    '\n  "a\n b"',
    '\n  - a: b\n    c: d: e',
    '\n  a: b: c',
    '\n- a: b',
    'a\nb',
    'http://x: y',
    'null',
    "' a\n  b '",
  ),
  fc
    .array(
      fc.constantFrom(
        'a',
        ' ',
        ': ',
        ':',
        ' #',
        '#',
        '"',
        "'",
        '[',
        ']',
        '{',
        '}',
        ', ',
        '\n',
        '\n  ',
        '- ',
        '@',
        '\\',
        '\u00e9',
        '|',
        '>',
        '\t',
        '&',
        '*',
        '!',
        '%',
      ),
      { maxLength: 7 },
    )
    .map(parts => parts.join('')),
)
const text = fc
  .array(
    fc.tuple(
      fc.constantFrom('name', 'description', 'x', 'metadata', 'a-b', 'license'),
      fc.constantFrom(': ', ': ', ': ', ':  ', ':'),
      value,
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map(pairs => pairs.map(([key, colon, written]) => `${key}${colon}${written}\n`).join(''))

test('the full parser agrees with every way of reading a file', () => {
  let repaired = 0
  fc.assert(
    fc.property(text, fc.constantFrom('\n', '\r\n'), fc.boolean(), (lines, end, whole) => {
      const bytes = Buffer.from(`---\n${lines}---\nBody`.replaceAll('\n', end))
      const quick = readHead(bytes, { whole })
      if (quick === undefined) throw new Error('The library is loaded.')
      if ('ok' in quick && quick.ok && quick.repaired !== undefined) repaired++
      expect(quick).toEqual(parser.parse(bytes, { whole }))
    }),
    { numRuns: 10_000 },
  )
  expect(repaired).toBeGreaterThan(300)
})

test('documents of their own are read by the same two ways', async () => {
  for (const document of [
    'policy:\n  allow_implicit_invocation: false\n',
    'a: b: c\n',
    'a: [b\n',
    '',
    '# nothing\n',
    'a: b',
    '- a\n',
    'a: &x b\nc: *x\n',
    'a: b\r\nc: d\r\n',
    '%YAML 1.2\n---\na: b\n',
    'a: b\n...\n',
    'a: b\n---\nc: d\n',
    'a: \ud83d x\n',
    'a: \ud83d\ude00 x\n',
  ]) {
    expect(await parseYaml(document), JSON.stringify(document)).toEqual(parser.parseYaml(document))
  }
})
