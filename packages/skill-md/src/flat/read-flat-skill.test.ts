import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { readFields } from '../fields/read-fields.js'
import { loadParser } from '../parse/parser.js'
import { readRest, textInRest, toolsInRest } from './quiet-rest.js'
import { readFlatSkill } from './read-flat-skill.js'
import type { FieldOptions } from '../fields/field-types.js'

// Many runs, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

const parser = await loadParser()

function quick(text: string, options?: FieldOptions) {
  const bytes = Buffer.from(text)
  return readFlatSkill(bytes, bytes.length, true, options)
}

/** What the full parser and the fields make of the same file, or undefined when there is anything to say about it. */
function slow(text: string, options?: FieldOptions) {
  const parsed = parser.parse(Buffer.from(text))
  if ('needMore' in parsed || !parsed.ok || parsed.diagnostics.length > 0) return undefined
  return { ...readFields(parsed.data, options), bodyStart: parsed.bodyStart }
}

describe('a block that begins with a name and a description', () => {
  test.each<[string, string, Record<string, unknown>]>([
    ['alone', 'Deploys, and more. It is so!', { description: 'Deploys, and more. It is so!' }],
    ['in quotes', '"Use this: always # now"', { description: 'Use this: always # now' }],
    ['in apostrophes', "'Say \"go\": now'", { description: 'Say "go": now' }],
    ['with more behind it', 'Deploys.\nlicense: MIT\nmetadata:\n  author: x\nallowed-tools: Read, Write', {
      description: 'Deploys.', license: 'MIT', metadata: { author: 'x' }, allowedTools: ['Read', 'Write'],
    }],
    ['that goes on', 'Deploys\n  the service.', { description: 'Deploys the service.' }],
    ['in folded lines', '>\n  Deploys: a #1\n  "x"  \nlicense: MIT', { description: 'Deploys: a #1 "x"', license: 'MIT' }],
    ['in lines of its own', '|-\n    Deploys:\n    - x', { description: 'Deploys:\n- x' }],
    ['that ends in blank lines', '>\n  Deploys.\n  \n\n    \nlicense: MIT', { description: 'Deploys.', license: 'MIT' }],
    ['that ends in lines of spaces', '|\n  Deploys.\n    More.\n   \n\nlicense: MIT', { description: 'Deploys.\n  More.', license: 'MIT' }],
    ['that begins beyond ASCII', '日本 "x"', { description: '日本 "x"' }],
    ['in lines with a blank one', '|\n  Deploys.\n\n  More.\nlicense: MIT', { description: 'Deploys.\n\nMore.', license: 'MIT' }],
    ['in lines further in', '>\n  Deploys.\n    More.\n  And more.', { description: 'Deploys.\n  More.\nAnd more.' }],
    ['with a comment', 'Deploys. # Or not', { description: 'Deploys.' }],
    ['with a comment that mentions a number', 'Deploys. # As in #12', { description: 'Deploys.' }],
    ['beyond ASCII', 'Déploie 日本 😀', { description: 'Déploie 日本 😀' }],
    ['that is nothing', 'null', {}],
    ['that is empty', '""', {}],
  ])('%s', (_, description, fields) => {
    const text = `---\nname: deploy\ndescription: ${description}\n---\nBody`
    expect(quick(text)).toEqual({ fields: { name: 'deploy', ...fields }, problems: [], bodyStart: text.length === Buffer.byteLength(text) ? text.indexOf('Body') : Buffer.byteLength(text) - 4 })
    expect(quick(text)).toEqual(slow(text))
  })

  test.each([
    ['a second name', 'x\nname: other'], ['a second description', 'x\ndescription: y'], ['`: ` in a value', 'x: y'], ['a quote that does not end', '"x'],
    ['a quote within', '"x" y"'], ['text behind a quote', '"x" y'], ['a colon at the end', 'x:'], ['a tab', 'x\ty'], ['a lone carriage return', 'x\ry'],
  ])('is left to the full parser with %s', (_, description) => {
    expect(quick(`---\nname: deploy\ndescription: ${description}\n---\n`)).toBeUndefined()
  })

  test.each(['null', '~', 'a: b', 'x #y', '"deploy"', '[a]', ' deploy', '- x', '*a'])('whose name is written as `%s` means what the parser says', (name) => {
    const text = `---\nname: ${name}\ndescription: Text.\n---\n`
    expect(quick(text) ?? slow(text)).toEqual(slow(text))
  })

  test('is remarked upon when a field is too long', () => {
    expect(quick(`---\nname: deploy\ndescription: ${'x'.repeat(1025)}\n---\n`)?.problems).toMatchObject([{ code: 'description-too-long' }])
    const name = 'n'.repeat(65)
    expect(quick(`---\nname: ${name}\ndescription: x\n---\n`)?.problems).toMatchObject([{ code: 'name-too-long' }])
  })

  test('follows options', () => {
    const bytes = Buffer.from('---\nname: deploy\ndescription: Text.\n---\n')
    expect(readFlatSkill(bytes, bytes.length, true, { only: ['name'] })?.fields).toEqual({ name: 'deploy', metadata: { description: 'Text.' } })
    expect(readFlatSkill(bytes, bytes.length, true, { limits: { description: 3 } })?.problems).toHaveLength(1)
  })
})

test.each(['license: MIT', 'compatibility: "a: b"\nversion: 1.0', 'author: x\norigin: y'])('lines between the name and the description count with those behind it: %j', block => {
  for (const behind of ['', '  that go on\n', '\n  after a blank line\n', 'category: z\n', 'model: opus\n', `${block}\n`, 'description: again\n', 'descripton: misspelt\n']) {
    const text = `---\nname: deploy\n${block}\ndescription: Deploys.\n${behind}---\nBody`
    expect(quick(text), behind).toEqual(behind.startsWith(block) || behind.startsWith('description') ? undefined : slow(text))
  }
})

test('a file that begins with a heading has no fields', () => {
  expect(quick('# Title\n\nText')).toEqual({ fields: {}, problems: [], bodyStart: 0 })
})

const piece = fc.constantFrom(
  '\n', '\n  ', '\n- ', 'a', 'b: ', 'license: ', ': ', ':', ' #', '#', '"', "'", "''", '\\"', '\\', '[', ']', '{', '|', '>', '- ', '-', '~', 'null', '1.10',
  'more words', 'é', '\u00a0', '\u2028', '\ufeff', '\r\n', '\r', '\t', ' ', '\n\n', '\nname: ', '\ndescription: ', '\nmetadata:\n  a: ', '\nallowed-tools: ', '"x"', "'y'", '---', '\n...', '@', '*x',
  '|\n  ', '>\n  ', '\n\n  ', '\n  \n', '\n   \n', '>-\n    ', '|+\n ', '\n    ',
)

const optionSets: readonly (FieldOptions | undefined)[] = [undefined, {}, { only: ['description', 'license', 'allowed-tools', 'metadata'] }, { only: ['name', 'description'] }, { limits: { description: 3 } }]

test('no matter what it answers, the full parser and the fields say too', () => {
  let sure = 0
  const opening = fc.constantFrom('name: deploy\n', 'name: deploy\n', 'name: a-1\nlicense: MIT\nversion: "1"\n', 'name: null\n', 'name: x y\n', 'name:\n', '', 'license: MIT\n')
  fc.assert(fc.property(opening, fc.constantFrom('\n', '\r\n'), fc.array(piece, { maxLength: 6 }), fc.constantFrom(...optionSets), (name, end, pieces, options) => {
    const text = `---${end}${name.replaceAll('\n', end)}description: ${pieces.join('')}${end}---${end}Body`
    const answer = quick(text, options)
    if (answer === undefined) return
    sure++
    expect(answer).toEqual(slow(text, options))
  }), { numRuns: 10_000 })
  expect(sure).toBeGreaterThan(300)
})

/** The same with what it left unread, read. */
function late(text: string, options?: FieldOptions) {
  const bytes = Buffer.from(text)
  const { rest, fields, ...answer } = readFlatSkill(bytes, bytes.length, true, options, true) ?? {}
  return { rest, answer: { ...answer, fields: { ...rest === undefined ? {} : readRest(rest, options), ...fields } } }
}

describe('a rest that no one asked for', () => {
  const opening = 'name: deploy\ndescription: Deploys.\n'

  test.each([
    'license: MIT', 'allowed-tools: Read Grep Bash(git:*)', 'author: "a: b # c"\nversion: 1.10', "compatibility: 'Node: 20'", 'license: null', 'license: MIT ',
    'license: MIT\nmetadata:\n  author: x\n  version: "1.0"\nallowed-tools: Read, Write', 'author: y\nmetadata:\n  author: x', 'origin: x\ncategory: y\nhomepage: https://example.com/', 'metadata:\n    author: x\n    a_b: y',
  ])('is left unread: %j', block => {
    const text = `---\n${opening}${block}\n---\nBody`
    expect(late(text).rest).toBe(`\n${block}\n-`)
    expect(late(text).answer).toEqual(slow(text))
    expect(quick(text)).not.toHaveProperty('rest')
  })

  test.each([
    'model: opus', 'aliases: x', 'disable-model-invocation: true', 'paths: "*.ts"', 'tags: x', 'license: [MIT]', 'allowed-tools: [Read]', 'allowed-tools:\n  - Read', 'license: a # b',
    'metadata: x', 'metadata:\n  a:\n    b: c', 'metadata:\n  opencode/autoinvoke: false', 'license: MIT\n  or another', 'license: ~', 'license:', 'licence: MIT', '# comment',
  ])('is read at once where it holds anything else: %j', block => {
    const text = `---\n${opening}${block}\n---\nBody`
    expect(late(text).rest).toBeUndefined()
    expect(quick(text)).toBeDefined()
    expect(quick(text)).toEqual(slow(text))
  })

  test.each([
    'license: MIT\nlicense: MIT', 'metadata:\n  a: b\nlicense: MIT\nmetadata:\n  c: d', 'metadata:\n  a: b\n  c: d\n  a: e', 'metadata:\n  constructor: x', 'metadata:\n  a: b\n    c: d', 'metadata:\n    a: b\n  c: d',
    'name: other', 'description: other',
  ])('is left to the full parser: %j', block => {
    const text = `---\n${opening}${block}\n---\nBody`
    expect(quick(text)).toBeUndefined()
    expect(late(text)).toEqual({ answer: { fields: {} } })
  })

  test('follows options: a name that is not honoured waits too', () => {
    const text = `---\n${opening}license: MIT\n---\n`
    const [nameless, licenseless] = [{ only: ['description', 'license'] }, { only: ['name', 'description'] }] as const
    expect(late(text, nameless)).toEqual({ rest: '\nname: deploy\nlicense: MIT\n-', answer: slow(text, nameless) })
    expect(late(`---\n${opening}---\n`, nameless)).toEqual({ rest: '\nname: deploy\n-', answer: slow(`---\n${opening}---\n`, nameless) })
    expect(late(text, licenseless)).toEqual({ rest: '\nlicense: MIT\n-', answer: slow(text, licenseless) })
    expect(late(text, { limits: { description: 3 } })).toEqual({ answer: slow(text, { limits: { description: 3 } }) })
  })

  test('is none where the block has nothing more', () => {
    expect(late(`---\n${opening}---\n`)).toEqual({ answer: slow(`---\n${opening}---\n`) })
  })

  test('means what the full parser says, in any order and however often its lines come', () => {
    const line = fc.constantFrom('license: MIT', 'license: "a: b"', 'version: 1.10', 'author: a b', "author: 'x'", 'compatibility: x:y', 'allowed-tools: Read, Bash(a:*)', 'allowed-tools: "[a]"',
      'metadata:', '    a: b', '    c: d', 'origin: x', '  a: b', '  a: "c"', '  b-c: d', '  constructor: x', '  opencode: x', '  null: x', '    deep: x', 'model: x', 'license: x: y', 'version: x #y', 'author: x # y', 'license: -', 'author: \u00e9', 'version: null', 'license: "null"', 'compatibility: NULL ', 'license: " "', 'version: "[1]"', '  version: "2"', '', '  ', '  more', 'metadata: x')
    let left = 0
    fc.assert(fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), fc.constantFrom('\n', '\r\n'), fc.constantFrom(...optionSets), (lines, end, options) => {
      const text = ['---', 'name: deploy', 'description: Deploys.', ...lines, '---', 'Body'].join(end)
      const { rest, answer } = late(text, options)
      if (rest === undefined) return
      left++
      expect(answer).toEqual(slow(text, options))
      for (const field of ['version', 'license', 'compatibility'] as const) expect(textInRest(rest, field, options)).toBe(answer.fields[field])
      expect(toolsInRest(rest, options)).toEqual(answer.fields.allowedTools)
    }), { numRuns: 10_000 })
    expect(left).toBeGreaterThan(300)
  })

  test('is read at once when it is long, which keeps a block of 64 KiB from taking long', () => {
    const entries = Array.from({ length: 9000 }, (_, at) => `  k${at}: v\n`).join('').slice(0, 64_000)
    const text = `---\n${opening}metadata:\n${entries.slice(0, entries.lastIndexOf('\n'))}\n---\n`
    const before = process.cpuUsage()
    expect(late(text).rest).toBeUndefined()
    expect(late(`---\nname: x\n${'license: a\n'.repeat(5000)}description: y\n---\n`).rest).toBeUndefined()
    expect(late(`---\nname: x\ndescription: |\n  a\n${'  \n\n'.repeat(15_000)} b\n---\n`).rest).toBeUndefined()
    expect(late(`---\nname: x\ndescription: >\n  a\n${'  b\n'.repeat(15_000)} b\n---\n`).rest).toBeUndefined()
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(500)
  })

  test('is read at once, or by the full parser, where a key of its map is one that every object inherits', () => {
    for (const key of [...Object.getOwnPropertyNames(Object.prototype), 'prototype']) for (const pad of ['  ', '    ']) {
      expect(late(`---\n${opening}metadata:\n${pad}${key}: x\n---\n`).rest, key).toBeUndefined()
    }
  })

  test.each(['null', 'null ', 'NULL', 'null\u00a0', 'Null \u3000', 'null\u00a0 ', '"null"', "' null '", 'null\u2003x', '\u00a0', 'MIT\u00a0'])('gives each text as the parser does: %j', text => {
    const file = `---\n${opening}license: ${text}\n---\n`
    const { rest } = late(file)
    expect(late(file).answer).toEqual(slow(file))
    expect(textInRest(rest ?? '\n-', 'license')).toBe(rest === undefined ? undefined : slow(file)?.fields.license)
  })

  test('that is none is refused', () => {
    expect(() => readRest('\na: &b c\n-')).toThrow(TypeError)
  })
})
