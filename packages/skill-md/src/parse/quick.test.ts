import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadParser } from './parser.js'
import { readQuickHead } from './quick.js'

// Many runs, on a machine that may be busy.

const parser = await loadParser()

function quick(text: string, whole = true) {
  return readQuickHead(Buffer.from(text), whole)
}

/** Returns the quick reader's answer with the full parser's, which must be the same without diagnostics. */
function agreement(text: string) {
  const answer = quick(text)
  return {
    answer,
    full: answer === undefined ? undefined : withoutBodyLine(parser.parse(Buffer.from(text))),
    wanted: answer && { ok: true, ...answer, hasFrontmatter: true, diagnostics: [] },
  }
}

function withoutBodyLine(parsed: object): object {
  return Object.fromEntries(Object.entries(parsed).filter(([key]) => key !== 'bodyLine'))
}

describe('what the quick way is sure of', () => {
  test.each<[string, string, Record<string, unknown>]>([
    [
      'plain text',
      'name: x\ndescription: Deploys, and more. It is so!',
      { name: 'x', description: 'Deploys, and more. It is so!' },
    ],
    ['spaces behind a value', 'name: x  \nb: y', { name: 'x', b: 'y' }],
    ['text beyond ASCII', 'name: café\ndescription: 日本語 😀', { name: 'café', description: '日本語 😀' }],
    ['quotes', `a: "x: y # z"\nb: 'it''s'\nc: "a \\"b\\" \\u00e9\\n"`, { a: 'x: y # z', b: "it's", c: 'a "b" é\n' }],
    [
      'nothing, and the words for it',
      'a:\nb: ~\nc: null\nd: "null"\ne: nully',
      { a: null, b: null, c: null, d: 'null', e: 'nully' },
    ],
    ['numbers and booleans as text', 'version: 1.10\na: true\nb: 010', { version: '1.10', a: 'true', b: '010' }],
    [
      'a map',
      'metadata:\n  author: x\n  deep:\n    y: z\nname: n',
      { metadata: { author: 'x', deep: { y: 'z' } }, name: 'n' },
    ],
    ['a list', 'a:\n  - x\n  - "y"\nb:\n- z\nc: w', { a: ['x', 'y'], b: ['z'], c: 'w' }],
    ['a list of maps', 'a:\n  - k: v\n    l: w\n  - k: x\nb: y', { a: [{ k: 'v', l: 'w' }, { k: 'x' }], b: 'y' }],
    ['a list in brackets', 'a: [x y, "y, z", \'w\', null]\nb: []', { a: ['x y', 'y, z', 'w', null], b: [] }],
    [
      'a literal block',
      'a: |\n  x: y\n\n    z # w\nb: |-\n  v\nc: |+\n  u\n',
      { a: 'x: y\n\n  z # w\n', b: 'v', c: 'u\n\n' },
    ],
    ['a folded block', 'a: >\n  x\n  y\n\n  z\n    w\n  v\nb: >-\n  u\n  t', { a: 'x y\nz\n  w\nv\n', b: 'u t' }],
    ['lines that go on', 'a: x\n  y\n  z\nb:\n  v\n  w\nc: u', { a: 'x y z', b: 'v w', c: 'u' }],
    [
      'quotes over lines',
      'a: "x\n  y: # z\n\n  w"\nb:\n  \'it is\n  so\'\nc: d',
      { a: 'x y: # z\nw', b: 'it is so', c: 'd' },
    ],
    ['a comment behind quotes', 'a: "x" # y\nb:\n  - \'z\'  ## w', { a: 'x', b: ['z'] }],
    ['comments', '# a\na: x # b\nb: "y"\n# c\nc: z', { a: 'x', b: 'y', c: 'z' }],
    [
      'comments further in',
      'a:\n  # b\n  - x\n # c\n  - k: v\n    # d\n    l: w\nb:\n# e\n\n  c: d\ne:\n  # f\n',
      { a: ['x', { k: 'v', l: 'w' }], b: { c: 'd' }, e: null },
    ],
    ['blank lines', '\na: x\n\n  \nb: y\n', { a: 'x', b: 'y' }],
  ])('%s', (_, block, data) => {
    const text = `---\n${block}\n---\nBody`
    expect(quick(text)).toEqual({ data, bodyStart: Buffer.byteLength(block) + 9 })
    expect(agreement(text).full).toEqual(agreement(text).wanted)
  })

  test('an empty block', () => {
    expect(quick('---\n---\nBody')).toEqual({ data: {}, bodyStart: 8 })
  })

  test('CRLF', () => {
    const text = '---\r\nname: x\r\ndescription: |\r\n  a\r\n  b\r\n---\r\nBody'
    expect(quick(text)).toEqual({ data: { name: 'x', description: 'a\nb\n' }, bodyStart: text.indexOf('Body') })
    expect(agreement(text).full).toEqual(agreement(text).wanted)
  })
})

describe('what it leaves to the full parser', () => {
  test.each([
    ['a duplicate key', 'a: x\na: y'],
    ['a duplicate key in an item', 'a:\n  - k: v\n    k: w'],
    ['__proto__', '__proto__: x'],
    ['constructor', 'metadata:\n  constructor: x'],
    ['prototype', 'prototype: x'],
    ['an inherited name', 'toString: x'],
    ['a merge key', '<<: x'],
    ['a key that is null', 'null: x'],
    ['an anchor', 'a: &b x'],
    ['an alias', 'a: *b'],
    ['a tag', 'a: !!str x'],
    ['a map in braces', 'a: {b: c}'],
    ['a tab', 'a:\tx'],
    ['`: ` in a value', 'a: x: y'],
    ['a colon at the end', 'a: x:'],
    ['` #` without a space behind it', 'a: x #y'],
    ['a comment behind which the value goes on', 'a: x # y\n  z'],
    ['a control character', 'a: x\u0001'],
    ['delete', 'a: x\u007f'],
    ['a C1 control', 'a: x\u0085y'],
    ['a line separator', 'a: x\u2028y'],
    ['the replacement character', 'a: x\ufffdy'],
    ['a byte order mark inside', 'a: x\ufeffy'],
    ['an indented first key', '  a: x'],
    ['a key further in', 'a: x\n b: y'],
    ['a block with an indicator', 'a: |2\n  x'],
    ['a block that begins blank', 'a: |\n\n  x'],
    ['an end of document', 'a: x\n...'],
    ['a directive', '%YAML 1.2'],
    ['an item that is a list', 'a:\n  - - x'],
    ['an escape that only YAML has', String.raw`a: "\x41"`],
    ['a lone carriage return', 'a: x\ry'],
    ['more than a space before a value', 'name:   x'],
    ['a text that goes on after a blank line', 'a: x\n\n  z'],
    ['an escape in quotes over lines', 'a: "x\\n\n  y"'],
    ['quotes that end at the margin', 'a: "x\ny"'],
    ['text at the margin', 'a: x\ny'],
  ])('%s', (_, block) => {
    expect(quick(`---\n${block}\n---\n`)).toBeUndefined()
  })

  test.each([
    ['a byte order mark', '\uFEFF---\na: x\n---\n'],
    ['a space behind a fence', '--- \na: x\n---\n'],
    ['a space behind the closing fence', '---\na: x\n--- \n'],
    ['text behind the closing fence', '---\na: x\n---# T\n'],
    ['a language', '---js\na: x\n---\n'],
    ['a blank line before the fence', '\n---\na: x\n---\n'],
    ['no closing fence', '---\na: x\n'],
    ['nothing', ''],
    ['a block over 64 KiB', `---\na: ${'x'.repeat(65_536)}\n---\n`],
  ])('%s', (_, file) => {
    expect(quick(file)).toBeUndefined()
  })

  test('bytes that are no UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('---\na: '), Buffer.from([0xff]), Buffer.from('\n---\n')])
    expect(readQuickHead(bytes, true)).toBeUndefined()
  })

  test('a fence at the end of bytes that may not be the whole file', () => {
    expect(quick('---\na: x\n---', false)).toBeUndefined()
    expect(quick('---\na: x\n---', true)).toEqual({ data: { a: 'x' }, bodyStart: 12 })
  })

  test('bytes that end within a fence', () => {
    const bytes = Buffer.from('---\na: x\n---\nBody')
    for (let length = 0; length < 13; length++)
      expect(readQuickHead(bytes.subarray(0, length), false), `${length}`).toBeUndefined()
    expect(readQuickHead(bytes.subarray(0, 13), false)).toEqual({ data: { a: 'x' }, bodyStart: 13 })
  })
})

test('the answer does not depend on where the bytes lie in their buffer', () => {
  const text = Buffer.from('---\nname: café and more\nb: "y"\n---\nBody')
  for (let offset = 0; offset < 8; offset++) {
    const buffer = Buffer.alloc(text.length + 16, '\n')
    text.copy(buffer, offset)
    expect(readQuickHead(buffer.subarray(offset, offset + text.length), true), `${offset}`).toEqual(
      readQuickHead(text, true),
    )
  }
})

test('one buffer that is read into again gives each file its own answer', () => {
  const buffer = Buffer.alloc(64)
  const first = readQuickHead(buffer.subarray(0, buffer.write('---\na: one value\n---\n')), true)
  expect(readQuickHead(buffer.subarray(0, buffer.write('---\na: two value\n---\n')), true)).toMatchObject({
    data: { a: 'two value' },
  })
  expect(first).toMatchObject({ data: { a: 'one value' } })
})

/** Pieces of YAML, including those that often go wrong. */
const piece = fc.constantFrom(
  '\n',
  '\n  ',
  '\n    ',
  '\n# c\n',
  '\n  # c\n  ',
  '\n- ',
  '\n  - ',
  'name',
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
  '\\n',
  '\\u0041',
  '\\',
  '[',
  ']',
  '{',
  '}',
  ', ',
  ',',
  '|',
  '>',
  '|-',
  '>-',
  '|+',
  '>+',
  '|2',
  '- ',
  '-',
  '?',
  '? ',
  '!',
  '&a',
  '*a',
  '<<',
  '~',
  'null',
  'Null',
  'true',
  '1.10',
  'more words',
  'é',
  '日本',
  '😀',
  '\u00a0',
  '\u2028',
  '\u0085',
  '\ufeff',
  '\ufffd',
  '\r\n',
  '\r',
  '\t',
  ' ',
  '  ',
  '%',
  '@',
  '`',
  '...',
  '---',
  '__proto__',
  'constructor',
  'toString',
  '\u007f',
  '=',
  '(a, b)',
  '"a"',
  "'b'",
  '"a": b',
  '- k: v',
  '- k:\n    z',
  'k: v',
)
const wild = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.constantFrom('name', 'x', 'y', 'metadata', 'l'),
        fc.constantFrom(':', ': ', ': '),
        fc.array(piece, { maxLength: 4 }),
      ),
      { minLength: 1, maxLength: 4 },
    ),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(
    ([pairs, end]) =>
      `---${end}${pairs.map(([key, colon, pieces], index) => `${key}${index}${colon}${pieces.join('')}\n`).join('')}---\nBody`,
  )

const word = fc.stringMatching(/^[A-Za-z0-9(é][A-Za-z0-9,.'"()é/-]{0,8}$/)
const words = fc.array(word, { minLength: 1, maxLength: 5 }).map(parts => parts.join(' '))
const quoted = words.map(text => JSON.stringify(`${text}: # ${text}`))
const scalar = fc.oneof(
  words,
  quoted,
  words.map(text => `'${text.replaceAll("'", "''")}'`),
  fc.constantFrom('', '~', 'null', 'true', '1.10'),
)
const value = (indent: string) =>
  fc.oneof(
    scalar.map(text => ` ${text}\n`),
    fc.tuple(words, words).map(([first, second]) => ` ${first}\n${indent}  ${second}\n`),
    fc
      .tuple(
        fc.constantFrom('"', "'"),
        fc.constantFrom(' ', `\n${indent}  `),
        fc.array(fc.oneof(words, fc.constantFrom('', 'a: b', "it''s", '# c', '  ', 'C:\\x', '- d')), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.constantFrom('', ' # c', ' #c', '  ', ' d'),
      )
      .map(
        ([quote, start, lines, end]) =>
          `${start}${quote}${lines.map(line => line.replaceAll(quote === '"' ? '"' : /'(?!')/g, '')).join(`\n${indent}  `)}${quote}${end}\n`,
      ),
    fc.tuple(quoted, fc.constantFrom(' # c', '  ## c', ' #c', '#', ' ')).map(([text, end]) => ` ${text}${end}\n`),
    fc
      .array(
        words.filter(text => !/["',]/.test(text)),
        { minLength: 1, maxLength: 3 },
      )
      .map(items => ` [${items.join(' , ')}]\n`),
    fc
      .tuple(
        fc.constantFrom('|', '>', '|-', '>-', '|+'),
        fc.array(
          fc.oneof(
            words,
            fc.constant(''),
            words.map(text => `  ${text}`),
          ),
          { maxLength: 4 },
        ),
      )
      .map(
        ([mark, lines]) =>
          ` ${mark}\n${[`${indent}  first: # line`, ...lines.map(line => (line === '' ? '' : `${indent}  ${line}`))].join('\n')}\n`,
      ),
    fc
      .tuple(fc.constantFrom('', '# c\n', '  # c\n'), fc.array(scalar, { minLength: 1, maxLength: 3 }))
      .map(([comment, items]) => `\n${items.map(item => `${comment}${indent}- ${item}\n`).join('')}`),
    fc
      .array(
        fc.oneof(
          word.filter(text => !/["',()]/.test(text)),
          quoted,
        ),
        { maxLength: 3 },
      )
      .map(items => ` [${items.join(', ')}]\n`),
  )
const tidy = fc
  .array(fc.tuple(fc.boolean(), value(''), fc.array(value('  '), { minLength: 1, maxLength: 3 })), {
    minLength: 1,
    maxLength: 5,
  })
  .map(
    entries =>
      `---\n${entries
        .map(([nested, text, inner], index) =>
          nested ? `map${index}:\n${inner.map((child, at) => `  key${at}:${child}`).join('')}` : `key${index}:${text}`,
        )
        .join('')}---\nBody`,
  )

test('the full parser agrees with its answers: documents of odd pieces', () => {
  fc.assert(
    fc.property(wild, text => {
      const { full, wanted } = agreement(text)
      expect(full).toEqual(wanted)
    }),
    { numRuns: 3_000 },
  )
})

test('the full parser agrees with its answers: documents as people write them', () => {
  fc.assert(
    fc.property(tidy, text => {
      const { full, wanted } = agreement(text)
      expect(full).toEqual(wanted)
    }),
    { numRuns: 1_000 },
  )
  // A seed, so that the number of certain documents does not depend on chance.
  const sure = fc.sample(tidy, { numRuns: 1_000, seed: 7 }).filter(text => agreement(text).answer !== undefined)
  expect(sure.length).toBeGreaterThan(400)
})

test.each([
  ['k: "a"', 'quoted texts'],
  ["k: 'it''s'", 'texts in apostrophes'],
  ['k: a: b', 'colons'],
  ['k: "a\n  b"', 'quotes over lines'],
  ['k: |\n  a\n\n', 'blocks'],
  ['k: >\n  a\n  \n', 'folded blocks'],
  ['k: a # b', 'comments'],
  ['k: a\n  b', 'lines that go on'],
  ['k: [a, "b"]', 'lists'],
  ['k:\n  - a\n', 'lists below'],
  ['\n  \n# c', 'nothing'],
  ['k: "a', 'quotes that never end'],
  ['k: a   ', 'spaces'],
  ['k:\n  l:\n    m: n', 'maps'],
])('what begins well and is not certain at its end fails in time that grows with its length: %j', line => {
  const msFor = (count: number): number => {
    const begun = process.cpuUsage().user / 1000
    expect(quick(`---\n${`${line}\n`.repeat(count)}&\n---\n`)).toBeUndefined()
    return process.cpuUsage().user / 1000 - begun
  }
  msFor(30)
  const short = msFor(60)
  // With quadratic time, thirty times as much would take nine hundred times as long.
  expect(msFor(1_800)).toBeLessThan(300 * Math.max(short, 0.5))
})

test('a long run of spaces is read in no time', () => {
  for (const line of ['a: b@c ', 'a: "b@c"', 'a: b@c\n  d@e ', 'a: "b@\n  c@d"', 'a: [b@, c]', 'a: |\n  b@c\n  @']) {
    const begun = process.cpuUsage().user / 1000
    quick(`---\n${line.replaceAll('@', ' '.repeat(20_000))}\n---\n`)
    expect(process.cpuUsage().user / 1000 - begun, line).toBeLessThan(500)
  }
})
