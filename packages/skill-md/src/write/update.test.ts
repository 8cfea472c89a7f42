import { SkillsError } from '@skills/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseFrontmatter } from '../parse/parse-frontmatter.js'
import { updateFrontmatter } from './update.js'
import { writeDocument } from './write-document.js'

// Many runs, on a machine that may be busy.

async function read(text: string) {
  const parsed = await parseFrontmatter(text)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.diagnostics))
  return { data: parsed.data, body: Buffer.from(text).toString('utf8', parsed.bodyStart) }
}

const file = [
  '---',
  '# licence above',
  'name:   "deploy"  # the name',
  "description: 'It''s: so'",
  'allowed-tools:',
  '  - Read # reads',
  '',
  '  - Write',
  '# about metadata',
  'metadata: {a: b}',
  'text: |-',
  '  one',
  '',
  '  # two',
  'version: 1.10',
  '---',
  'Body',
  '',
].join('\n')

describe('a change touches its key alone', () => {
  test.each<[string, Record<string, unknown>, (text: string) => string]>([
    [
      'a text in the kind of quotes it had',
      { name: 'ship: it' },
      text => text.replace('"deploy"', '"ship: it"').replace('name:   ', 'name: '),
    ],
    ['a boolean', { version: true }, text => text.replace('1.10', 'true')],
    ['a text that looks like a number', { version: '2.0' }, text => text.replace('1.10', "'2.0'")],
    [
      'a list over a list',
      { 'allowed-tools': ['Grep'] },
      text => text.replace('  - Read # reads\n\n  - Write', '  - Grep'),
    ],
    [
      'a text of several lines',
      { version: 'a\nb: c\n' },
      text => text.replace('version: 1.10', 'version: |\n  a\n  b: c'),
    ],
    ['a text over a block', { text: 'short' }, text => text.replace('text: |-\n  one\n\n  # two', 'text: short')],
    [
      'a map',
      { metadata: { c: { d: ['e'] } } },
      text => text.replace('metadata: {a: b}', 'metadata:\n  c:\n    d:\n      - e'),
    ],
    ['null', { version: null }, text => text.replace('1.10', 'null')],
    [
      'a new key at the end',
      { license: 'MIT' },
      text => text.replace('version: 1.10\n', 'version: 1.10\nlicense: MIT\n'),
    ],
    [
      'a key removed',
      { 'allowed-tools': undefined },
      text => text.replace('allowed-tools:\n  - Read # reads\n\n  - Write\n', ''),
    ],
    ['a key removed that is not there', { other: undefined }, text => text],
    ['nothing', {}, text => text],
    [
      'several at once',
      { name: 'x', description: undefined, license: 'MIT' },
      text =>
        text
          .replace('name:   "deploy"', 'name: "x"')
          .replace("description: 'It''s: so'\n", '')
          .replace('version: 1.10\n', 'version: 1.10\nlicense: MIT\n'),
    ],
  ])('%s', async (_, changes, expected) => {
    expect(await updateFrontmatter(file, changes)).toBe(expected(file))
    const windows = file.replaceAll('\n', '\r\n')
    expect(await updateFrontmatter(`\uFEFF${windows}`, changes)).toBe(
      `\uFEFF${expected(file).replaceAll('\n', '\r\n')}`,
    )
  })

  test('a key given twice: the last is set, all are removed', async () => {
    const twice = '---\nname: a\nb: c\nname: d\n---\n'
    expect(await updateFrontmatter(twice, { name: 'e' })).toBe('---\nname: a\nb: c\nname: e\n---\n')
    expect(await updateFrontmatter(twice, { name: undefined })).toBe('---\nb: c\n---\n')
  })

  test('keys that stand further in keep their column', async () => {
    expect(await updateFrontmatter('---\n  a: b\n  c: d\n---\n', { a: ['x'], e: 'f' })).toBe(
      '---\n  a:\n    - x\n  c: d\n  e: f\n---\n',
    )
  })

  test('a block in braces is written anew', async () => {
    expect(await updateFrontmatter('---\n{a: b, c: "1"}\n---\nBody', { a: 'x' })).toBe("---\na: x\nc: '1'\n---\nBody")
  })

  test('what had to be repaired stays as it is', async () => {
    expect(await updateFrontmatter('---\na: b: c\nd: e\n---\n', { d: 'f' })).toBe('---\na: b: c\nd: f\n---\n')
  })

  test('a file without frontmatter gets a block', async () => {
    expect(await updateFrontmatter('# Title\r\nText', { name: 'x' })).toBe('---\r\nname: x\r\n---\r\n# Title\r\nText')
    expect(await updateFrontmatter('\uFEFFText', { name: 'x' })).toBe('\uFEFF---\nname: x\n---\nText')
    expect(await updateFrontmatter('', { name: 'x' })).toBe('---\nname: x\n---\n')
    expect(await updateFrontmatter('---\n---\nText', { name: 'x' })).toBe('---\nname: x\n---\nText')
  })
})

describe('what cannot be written is refused by code', () => {
  test.each<[string, string, Record<string, unknown>, string]>([
    ['a file that cannot be read', '---\nname: x\n- y\n---\n', { name: 'z' }, 'E_INVALID_SKILL'],
    ['a file that is never closed', '---\nname: x\n', { name: 'z' }, 'E_INVALID_SKILL'],
    ['a key that reaches a prototype', '---\nname: x\n---\n', { constructor: 'z' }, 'E_INVALID_OPTION'],
    ['a function', '---\nname: x\n---\n', { name: () => 1 }, 'E_INVALID_OPTION'],
    ['a value that holds nothing', '---\nname: x\n---\n', { name: [undefined, Symbol('x')] }, 'E_INVALID_OPTION'],
  ])('%s', async (_, text, changes, code) => {
    const thrown: unknown = await updateFrontmatter(text, changes).catch((error: unknown) => error)
    expect(SkillsError.is(thrown) && thrown.code).toBe(code)
  })
})

describe('a new document that cannot be written is refused with the key', () => {
  const cycle: unknown[] = []
  cycle.push(cycle)
  test.each<[string, Record<string, unknown>]>([
    ['a function', { name: 'x', a: () => 1 }],
    ['a symbol', { a: Symbol('x') }],
    ['what stands further in', { b: 'y', a: { c: [1, () => 1] } }],
    ['what holds itself', { a: cycle }],
  ])('%s', async (_, data) => {
    const thrown: unknown = await writeDocument(data, 'x').catch((error: unknown) => error)
    expect(SkillsError.is(thrown) && [thrown.code, thrown.message]).toEqual([
      'E_INVALID_OPTION',
      expect.stringMatching(/`a` .*YAML/) as string,
    ])
  })
})

const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'ab1 :#-"\'[]{}&*!|>%@`,?$\\\n\té😀~.'), maxLength: 12 }),
  fc.constantFrom(
    'true',
    'No',
    '1.10',
    '010',
    '~',
    'null',
    '',
    '<<',
    '=',
    '2024-01-02',
    '---',
    '...',
    '- a',
    '? a',
    '# a',
    'a: b',
    ' a',
    'a ',
    'a\n',
    '\na',
    'a\n\n',
    '\u2028',
    '\u0085',
    '\u001b',
    '{}',
    '[]',
  ),
)
const value = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.boolean(),
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.stringMatching(/^[a-z: #]{1,5}$/), tie('value'), { maxKeys: 3 }),
  ),
})).value
const key = fc.constantFrom('name', 'description', 'allowed-tools', 'metadata', 'text', 'version', 'license', 'odd key')

/** Returns a value as it is after writing and reading: scalars become text. */
function asRead(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(asRead)
  if (typeof written === 'object' && written !== null)
    return Object.fromEntries(Object.entries(written).map(([name, inner]) => [name, asRead(inner)]))
  return typeof written === 'number' || typeof written === 'boolean' ? String(written) : written
}

test('an update reads back as the change, and leaves the rest', async () => {
  const before = await read(file)
  await fc.assert(
    fc.asyncProperty(
      key,
      fc.oneof(value, fc.constant(undefined)),
      fc.constantFrom('\n', '\r\n'),
      async (name, change, end) => {
        const updated = await updateFrontmatter(file.replaceAll('\n', end), { [name]: change })
        const { data, body } = await read(updated)
        const expected = { ...before.data, [name]: asRead(change) }
        if (change === undefined) delete expected[name]
        expect(data).toEqual(expected)
        expect(body).toBe(before.body.replaceAll('\n', end))
        for (const comment of ['# licence above', '# about metadata']) expect(updated).toContain(comment)
      },
    ),
    { numRuns: 400 },
  )
})

test('one update after another', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(key, value), { maxLength: 4 }), async changes => {
      let updated = '# Title\n'
      for (const [name, change] of changes) updated = await updateFrontmatter(updated, { [name]: change })
      const { data, body } = await read(updated)
      expect(data).toEqual(asRead(Object.fromEntries(changes)))
      expect(body).toBe('# Title\n')
    }),
    { numRuns: 150 },
  )
})

test('a new document reads back as it was given', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(key, value),
      fc.constantFrom('Body\n', '---\nname: x\n---\n', '', '\n# Title\n', '---js\nx\n---\n'),
      async (data, body) => {
        const written = await writeDocument(data, body)
        expect(await read(written)).toEqual({ data: asRead(data), body: body === '' ? '\n' : body })
      },
    ),
    { numRuns: 200 },
  )
})

test('a new document looks as one would write it', async () => {
  expect(
    await writeDocument(
      {
        name: 'deploy',
        description: 'Use when: asked',
        version: '1.10',
        'user-invocable': false,
        'allowed-tools': ['Read'],
      },
      '# Deploy',
    ),
  ).toBe(
    "---\nname: deploy\ndescription: 'Use when: asked'\nversion: '1.10'\nuser-invocable: false\nallowed-tools:\n  - Read\n---\n# Deploy\n",
  )
  expect(await writeDocument({}, 'Body')).toBe('Body\n')
})
