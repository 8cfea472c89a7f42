import { expect, test } from 'vitest'
import { readFields } from '../fields/read-fields.js'
import { describeProblem, locateKey, placeOfProblem } from './locate.js'
import { loadParser } from './parser.js'

const file = [
  '\uFEFF<!-- c -->',
  '---',
  'name: "x"',
  'description: |',
  '  name: not this',
  '  # nor this',
  '"quoted key" : v',
  'metadata:',
  '  author: me',
  '  deep:',
  '    a: b',
  '  list:',
  '  - one',
  '  - k: v',
  '    l: w',
  'allowed-tools: [a,',
  '  b]',
  'text: goes',
  '  on: here',
  'empty:',
  'name: again',
  '---',
  'name: body',
].join('\r\n')

test.each<[readonly (string | number)[], object | undefined]>([
  [['description'], { line: 4, column: 1, valueColumn: 14 }],
  [['quoted key'], { line: 7, column: 1, valueColumn: 16 }],
  [['metadata'], { line: 8, column: 1 }],
  [['metadata', 'author'], { line: 9, column: 3, valueColumn: 11 }],
  [['metadata', 'deep', 'a'], { line: 11, column: 5, valueColumn: 8 }],
  [['metadata', 'list'], { line: 12, column: 3 }],
  [['metadata', 'list', 0], { line: 13, column: 3, valueColumn: 5 }],
  [['metadata', 'list', 1, 'k'], { line: 14, column: 5, valueColumn: 8 }],
  [['metadata', 'list', 1, 'l'], { line: 15, column: 5, valueColumn: 8 }],
  [['allowed-tools'], { line: 16, column: 1, valueColumn: 16 }],
  [['allowed-tools', 1], { line: 16, column: 1, valueColumn: 16 }],
  [['empty'], { line: 20, column: 1 }],
  [['name'], { line: 21, column: 1, valueColumn: 7 }],
  [['on'], undefined],
  [['other'], undefined],
  [[], undefined],
])('%j', (keyPath, place) => {
  expect(locateKey(file, keyPath)).toEqual(place)
})

test('a file without a block has no keys', () => {
  expect(locateKey('# Title\nname: x', ['name'])).toBeUndefined()
  expect(locateKey('---\nname: x', ['name'])).toBeUndefined()
})

test('columns count UTF-16 code units', () => {
  expect(locateKey('---\n"😀": x\n---\n', ['😀'])).toEqual({ line: 2, column: 1, valueColumn: 7 })
})

test('a problem becomes a diagnostic with the place of the value', async () => {
  const text = '---\nname: x\nbackground: maybe\n---\n'
  const parsed = (await loadParser()).parse(Buffer.from(text))
  const [problem] = 'ok' in parsed && parsed.ok ? readFields(parsed.data).problems : []
  const diagnostic = {
    severity: 'error',
    type: 'validation',
    code: 'invalid-boolean',
    field: 'background',
    message: '`background` must be true, false, yes, no, on, off, 1 or 0, but is "maybe".',
    hint: 'Write true, false, yes, no, on, off, 1 or 0.',
  }
  expect(describeProblem(problem!, text)).toEqual({ ...diagnostic, line: 3, column: 13 })
  expect(describeProblem(problem!)).toEqual(diagnostic)
  const place = (code: string, key: string) =>
    placeOfProblem('---\nname: x\nmodel:\n  y\ndescripton: z\n---\n', { code, keyPath: [key] })
  expect([
    place('invalid-text', 'name'),
    place('invalid-text', 'model'),
    place('misspelt-field', 'descripton'),
    place('field-given-twice', 'name'),
    place('invalid-text', 'other'),
  ]).toEqual([{ line: 2, column: 7 }, { line: 3, column: 1 }, { line: 5, column: 1 }, { line: 2, column: 1 }, {}])
})

test.each<[string, string, object | undefined]>([
  [
    'a value in any of the plain ways',
    '---\na: x\nb: "y: z"\nc: [d, e]\nf: |\n  context: no\nmetadata:\n  context: no\n\n# context: no\ncontext:  auto\nz: w\n---\ncontext: body\n',
    { line: 11, column: 1, valueColumn: 11 },
  ],
  ['nothing behind the key', '---\ncontext:\n  a: b\n---\n', { line: 2, column: 1 }],
  ['one of two', '---\ncontext: a\ncontext: b\n---\n', { line: 3, column: 1, valueColumn: 10 }],
  ['a text that goes on', '---\na: "x\ncontext: y"\ncontext: auto\n---\n', { line: 4, column: 1, valueColumn: 10 }],
  ['a list that goes on', '---\na: [x,\ncontext: y]\ncontext: auto\n---\n', { line: 4, column: 1, valueColumn: 10 }],
  ['another opening', '--- \ncontext: auto\n---\n', { line: 2, column: 1, valueColumn: 10 }],
  ['no end', '---\ncontext: auto\n', undefined],
  ['a line that only begins as a fence does', '---\ncontext: auto\n---x\n', { line: 2, column: 1, valueColumn: 10 }],
  [
    'a line that ends with a carriage return',
    '---\na: x\ry: z\ncontext: auto\n---\n',
    { line: 4, column: 1, valueColumn: 10 },
  ],
  [
    'what is white space, and none to YAML',
    '---\ncontext: \u00a0 auto\n---\n',
    { line: 2, column: 1, valueColumn: 10 },
  ],
  [
    'lines that end with two characters',
    '---\r\na: b\r\ncontext:  auto\r\nx:\r\n---\r\n',
    { line: 3, column: 1, valueColumn: 11 },
  ],
  ['a tab before the value', '---\ncontext: \tauto\n---\n', { line: 2, column: 1, valueColumn: 11 }],
  ['a block that does not end well', '---\ncontext: auto\nz: {\n---\n', { line: 2, column: 1, valueColumn: 10 }],
])('a key at the margin: %s', (_, text, place) => {
  expect(locateKey(text, ['context'])).toEqual(place)
})
