import fc from 'fast-check'
import { tempTree } from '@skills/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fieldPath } from './json-file.js'
import { readJsonFile } from './index.js'

function read(content: string | Buffer, within?: string) {
  const tree = tempTree({ 'in/file.json': content, 'in/link.json': { link: '../out.json' }, 'out.json': '{}' })
  onTestFinished(() => tree.dispose())
  const named = (name: string) =>
    readJsonFile(`${tree.path}/in/${name}`, {
      code: 'invalid-thing',
      what: 'The thing',
      within: within === undefined ? undefined : tree.path + within,
    })
  return { file: named('file.json'), link: named('link.json'), none: named('none.json') }
}

describe('a file that holds an object in JSON', () => {
  test('is read with its text, with any mark of the byte order', () => {
    expect(read('\ufeff{"a":1}').file).toMatchObject({ text: '{"a":1}', data: { a: 1 } })
  })

  test.each<[string, string | Buffer, string, number | undefined]>([
    ['empty', ' \n', 'The thing is empty.', undefined],
    ['a list', '[]', 'The thing must be an object.', undefined],
    ['null', 'null', 'The thing must be an object.', undefined],
    ['no JSON', '{\n"a": 1\n"b": 2}', 'The thing is not JSON: ', 3],
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'The thing is not JSON: ', undefined],
  ])('is a problem when it is %s', (_what, content, message, line) => {
    expect(read(content).file).toMatchObject({
      code: 'invalid-thing',
      severity: 'error',
      message: expect.stringContaining(message) as string,
      ...(line !== undefined && { line }),
    })
  })

  test.each<[string, (depth: number) => string]>([
    ['lists', depth => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`],
    ['objects', depth => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`],
    [
      'both, beside what is flat',
      depth => `{"a":[{}],"b":${'[{"c":'.repeat((depth - 2) / 2)}[]${'}]'.repeat((depth - 2) / 2)},"d":{}}`,
    ],
  ])('may be nested 100 levels deep and no more, of %s', (_what, nested) => {
    expect(read(nested(100)).file).toMatchObject({ data: expect.anything() as unknown })
    for (const depth of [102, 5_000, 100_000]) {
      expect(read(nested(depth)).file).toMatchObject({
        code: 'invalid-thing',
        severity: 'error',
        path: expect.stringMatching(/file\.json$/) as string,
        message: expect.stringContaining(' 100 ') as string,
      })
    }
    expect(read(`{"a":${'['.repeat(100)}${']'.repeat(100)}}`).file).toMatchObject({ code: 'invalid-thing' })
  })

  test('may be missing, and may be a link unless that leads out', () => {
    expect(read('{}').none).toBeUndefined()
    expect(read('{}').link).toMatchObject({ data: {} })
    expect(read('{}', '/in').link).toMatchObject({ code: 'link-escapes' })
  })
})

test('says on which lines its keys stand', () => {
  const { file } = read('\ufeff{\n"a": {\n"a": 1 } }')
  const lines = file === undefined || 'severity' in file ? undefined : file.lines
  expect([
    lines?.of(['a']),
    lines?.of(['a', 'a']),
    lines?.of(['b']),
    lines?.near(['a', 'b']),
    lines?.near(['b']),
  ]).toEqual([2, 3, undefined, 2, undefined])
})

test('a way into data is written as code would have it', () => {
  expect(fieldPath(['plugins', 3, 'name'])).toBe('plugins[3].name')
})

test.each([
  ['{"a": 1, // one\n "b": [1, 2,], /* two\n lines */ }', { a: 1, b: [1, 2] }],
  ['{"a": "// no /* comment */ ,]", "a\\"": 1,}', { a: '// no /* comment */ ,]', 'a"': 1 }],
  ['{"__proto__": {"x": 1},}', JSON.parse('{"__proto__": {"x": 1}}')],
])('%s is read where comments are', (text, data) => {
  expect(readWithComments(text)).toMatchObject({ data })
  expect(Object.keys((readWithComments(text) as { data: object }).data)).toEqual(Object.keys(data))
})

test.each([
  ['{ // one\n "a": 1,\n "b": 2 "c" }', 3, 9],
  ['{ /* one', 1, 10],
  ['{"a": 1,,}', 1, 9],
  ['// nothing', undefined, undefined],
])('%s is no JSON with comments', (text, line, column) => {
  expect(readWithComments(text)).toMatchObject({ code: 'invalid-thing', ...(line !== undefined && { line, column }) })
})

test('JSON is read the same where comments may be', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), data => {
      const text = JSON.stringify(data)
      expect(JSON.stringify((readWithComments(text) as { data: object }).data)).toBe(text)
    }),
    { numRuns: 50 },
  )
})

function readWithComments(text: string) {
  const tree = tempTree({ 'file.json': text })
  onTestFinished(() => tree.dispose())
  return readJsonFile(`${tree.path}/file.json`, { code: 'invalid-thing', what: 'The thing', comments: true })
}
