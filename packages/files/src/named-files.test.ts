import { symlinkSync, writeFileSync } from 'node:fs'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { namedFiles } from './named-files.js'

const files = {
  'run.sh': '1',
  'sub/run.sh': '1',
  'hook.mjs': '1',
  'dist/index.js': '1',
  'dist/other.js': '1',
  'tool/package.json': '{ "main": "lib/start.js", "bin": { "tool": "bin.js" } }',
  'tool/lib/start.js': '1',
  'tool/bin.js': '1',
  'pkg/__main__.py': '1',
  'pkg/mod.py': '1',
  'node_modules/.bin/own-server': '1',
  'package.json': '{ "scripts": { "x": "sh run.sh" } }',
  Makefile: 'all:',
  'a b.sh': '1',
}

test.each([
  [['/bin/sh', './run.sh'], ['run.sh']],
  [['/bin/sh', 'run.sh'], ['run.sh']],
  [['./run.sh'], ['run.sh']],
  [['run'], ['run.sh']],
  [['TOP/run.sh'], ['run.sh']],
  [['sh', '-c', 'exec "./run.sh" --port 1; true'], ['run.sh']],
  [
    ['sh', '-c', 'cd sub && ./run.sh'],
    ['run.sh', 'sub/run.sh'],
  ],
  [['sh', '-c', '"$ROOT/run.sh"'], ['run.sh']],
  [['sh', '-c', 'exec ${ROOT}/sub/run.sh'], ['sub/run.sh']],
  [['node', '--import', './hook.mjs', '-e', '1'], ['hook.mjs']],
  [['node', '--import=./hook.mjs'], ['hook.mjs']],
  [['node', '-r./hook'], ['hook.mjs']],
  [['node', '--import', 'file://TOP/hook.mjs'], ['hook.mjs']],
  [['node', 'x', 'NODE_OPTIONS=--import ./hook.mjs'], ['hook.mjs']],
  [['node', './dist/index.js'], ['dist/index.js']],
  [['node', './dist'], ['dist/index.js']],
  [['node', 'dist/'], ['dist/index.js']],
  [
    ['node', 'tool'],
    ['tool/bin.js', 'tool/lib/start.js', 'tool/package.json'],
  ],
  [['python3', '-m', 'pkg'], ['pkg/__main__.py']],
  [['python3', '-m', 'pkg.mod'], ['pkg/mod.py']],
  [
    ['npx', 'own-server'],
    ['node_modules/.bin/own-server', 'package.json'],
  ],
  [['npm', 'start'], ['package.json']],
  [['make', '-s', 'serve'], ['Makefile']],
  [['/bin/sh', './a b.sh'], ['"a b.sh"']],
  [['own-server'], ['node_modules/.bin/own-server']],
  [
    ['run.sh', 'sub:/usr/bin'],
    ['run.sh', 'sub/run.sh'],
  ],
  [['/bin/echo', 'hello', '../elsewhere', '/etc/passwd', 'https://example.com/run'], []],
])('%j names %j', (words, named) => {
  const tree = tempTree(files)
  onTestFinished(() => tree.dispose())
  const place = { cwd: tree.path, top: tree.path }
  const given = words.map(word => word.replaceAll('TOP', tree.path))
  const read = namedFiles(given, place)
  expect(read?.map(line => line.replace(/ [\da-f]{64}$/, ''))).toEqual(named)
  for (const path of named) writeFileSync(`${tree.path}/${path.replaceAll('"', '')}`, '{ "changed": true }')
  const after = namedFiles(given, place)
  for (const line of named.length === 0 ? [] : (read ?? [])) expect(after).not.toContain(line)
})

test('a file outside is not the project’s, a link of the project is, with where it leads', () => {
  const tree = tempTree({ 'repo/sub/x': '1', 'away/run.sh': '1', 'away/other.sh': '1' })
  onTestFinished(() => tree.dispose())
  const top = `${tree.path}/repo`
  symlinkSync(`${tree.path}/away/run.sh`, `${top}/run.sh`)
  symlinkSync('nowhere', `${top}/later.sh`)
  expect(namedFiles(['sh', '../away/run.sh'], { cwd: top, top })).toEqual([])
  expect(namedFiles(['sh', 'run.sh'], { cwd: top, top })?.[0]).toMatch(/^run\.sh [\da-f]{64} at \/.*away\/run\.sh$/)
  expect(namedFiles(['later.sh'], { cwd: `${top}/sub`, top })).toEqual(['later.sh leads to nothing'])
})

test('a file that is made after a look is one that is new; too many words are told of', () => {
  const tree = tempTree({})
  onTestFinished(() => tree.dispose())
  const place = { cwd: tree.path, top: tree.path }
  expect(namedFiles(['node', 'late.js'], place)).toEqual([])
  writeFileSync(`${tree.path}/late.js`, '1')
  expect(namedFiles(['node', 'late.js'], place)).toHaveLength(1)
  const many = Array.from({ length: 30_000 }, (_none, at) => `word-${at}`)
  expect(namedFiles([...many, 'late.js'], place)).toBeUndefined()
})
