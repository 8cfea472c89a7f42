import { expect, test } from 'vitest'
import { again, quoted } from './again.js'
import { parseAll as parseArguments } from '../rest.js'
import type { Io } from '../io.js'

const output = { isTerminal: false, columns: 80, write: () => {} }
const io: Io = {
  stdout: output,
  stderr: output,
  cwd: '/',
  home: '/',
  env: {},
  program: 'skills',
  signal: new AbortController().signal,
}

test('a proposed command looks at the same places, each a word to the shell', () => {
  const invocation = parseArguments([
    'list',
    '--json',
    '--cwd',
    'a b',
    '--home',
    "it's",
    '--add-dir=c',
    '--add-dir',
    'd',
  ])
  expect(again('lint', invocation, io)).toBe("skills lint --cwd 'a b' --home 'it'\\''s' --add-dir c --add-dir d")
  expect(again('lint', parseArguments([]), io)).toBe('skills lint')
  expect(again('lint', parseArguments(['--distribution', 'mini', '--cwd', 'a']), io)).toBe(
    'skills lint --distribution mini --cwd a',
  )
})

test.each([
  ['a/b-c@1.txt', 'a/b-c@1.txt', 'a/b-c@1.txt'],
  ['two words', "'two words'", '"two words"'],
  ["it's", "'it'\\''s'", '"it\'s"'],
  ['C:\\Users\\grace', "'C:\\Users\\grace'", 'C:\\Users\\grace'],
  ['Skill(deploy)', "'Skill(deploy)'", '"Skill(deploy)"'],
  ['@scope/name', '@scope/name', '"@scope/name"'],
  ['', "''", '""'],
])('%s is quoted for the shells of each system', (word, posix, windows) => {
  expect([quoted(word, 'linux'), quoted(word, 'win32')]).toEqual([posix, windows])
})
