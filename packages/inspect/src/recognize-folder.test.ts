import { tempTree, type TreeEntries } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { recognizeFolder, sortFolders } from './recognize-folder.js'

function temporary(entries: TreeEntries): string {
  const tree = tempTree(entries)
  onTestFinished(() => tree.dispose())
  return tree.path
}

const kinds = (entries: TreeEntries): readonly string[] => recognizeFolder(temporary(entries)).map(({ kind }) => kind)

test('a folder is what its files say, and may be several things', () => {
  const [market, plugin] = [{ '.claude-plugin/marketplace.json': '{}' }, { '.claude-plugin/plugin.json': '{}' }]
  expect(kinds({ ...market, 'skills/a/SKILL.md': 'a' })).toEqual(['marketplace', 'skills'])
  const entry = (source: unknown) => ({
    '.claude-plugin/marketplace.json': JSON.stringify({ name: 'm', plugins: [{ name: 'p', source }] }),
    'skills/cloud/a/SKILL.md': 'a',
  })
  for (const source of ['./', './skills/cloud']) expect(kinds(entry(source))).toEqual(['marketplace'])
  for (const source of ['./plugins/p', { source: 'github', repo: 'o/r' }])
    expect(kinds(entry(source))).toEqual(['marketplace', 'skills'])
  expect(kinds({ ...market, ...plugin, 'SKILL.md': 'a' })).toEqual(['plugin', 'marketplace'])
  expect(kinds({ 'package.json': '{ "skillsPaths": ["./own"] }' })).toEqual(['plugin'])
  expect(kinds({ 'package.json': '{ "name": "x" }' })).toEqual([])
  expect(kinds({ 'package.json': '{' })).toEqual([])
  expect(kinds({ 'SKILL.md': 'a', 'references/x.md': 'x' })).toEqual(['skill'])
  expect(kinds({ 'SKILL.md': 'a', 'skills/b/SKILL.md': 'b' })).toEqual(['skills'])
  expect(kinds({ 'a/SKILL.md': 'a' })).toEqual(['skills'])
  expect(kinds({ 'SKILL.md': 'a', 'b/SKILL.md': 'b' })).toEqual(['skills'])
  expect(kinds({ 'cloud/a/SKILL.md': 'a', '.git/HEAD': 'x' })).toEqual(['skills'])
  expect(kinds({ 'cloud/a/SKILL.md': 'a' })).toEqual([])
  expect(kinds({ 'docs/a/SKILL.md': 'a', '.git/HEAD': 'x', '.claude/skills/b/SKILL.md': 'b' })).toEqual([])
  expect(kinds({ 'skills/a/SKILL.md': 'a', '.claude/skills/b/SKILL.md': 'b', '.github/workflows/x.yml': 'x' })).toEqual(
    ['skills'],
  )
  expect(kinds({ 'src/index.ts': 'x' })).toEqual([])
  expect(recognizeFolder(`${temporary({})}/nowhere/at/all`)).toEqual([])
})

test('of folders that a person names the marketplaces are told apart', () => {
  const path = temporary({
    'm/.claude-plugin/marketplace.json': '{}',
    'both/.claude-plugin/marketplace.json': '{}',
    'both/.claude-plugin/plugin.json': '{}',
    'p/skills/a/SKILL.md': 'a',
    none: { dir: true },
  })
  const at = (...names: readonly string[]): readonly string[] => names.map(name => `${path}/${name}`)
  expect(sortFolders(at('m', 'both', 'p', 'none'))).toEqual({ plugins: at('both', 'p', 'none'), marketplaces: at('m') })
})

test('a plugin.json at the root makes a plugin of the standard, unless it is a file of another program', () => {
  const schema = '{ "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "a" }'
  const path = temporary({
    'alone/plugin.json': schema,
    'other/plugin.json': '{ "id": "chart" }',
    'undeclared/plugin.json': '{ "name": "a" }',
    'undeclared/skills/a/SKILL.md': 'a',
    'broken/plugin.json': '{',
    'broken/mcp.json': '{}',
    'both/plugin.json': schema,
    'both/.claude-plugin/plugin.json': '{}',
    'claude/plugin.json': '{ "name": "a" }',
    'claude/.claude-plugin/plugin.json': '{}',
  })
  const of = (name: string): readonly (string | undefined)[] =>
    recognizeFolder(`${path}/${name}`).map(({ kind, file }) => `${kind} ${file?.slice(path.length + 1) ?? ''}`)
  expect(['alone', 'other', 'undeclared', 'broken', 'both', 'claude'].map(of)).toEqual([
    ['plugin alone/plugin.json'],
    [],
    ['plugin undeclared/plugin.json'],
    ['plugin broken/plugin.json'],
    ['plugin both/plugin.json'],
    ['plugin claude/.claude-plugin/plugin.json'],
  ])
})
