import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { distributionNames } from '@skills/distributions/distribution-named'
import { program, runToEnd } from './built.js'
import { commands } from '../src/commands/index.js'

// The time of a list depends mostly on how much is loaded before it, so files that it does not need must stay unread.

let tree: TempTree
beforeAll(() => {
  tree = tempTree({
    home: { dir: true },
    'sound/.claude/skills/a/SKILL.md': '---\nname: a\ndescription: x\n---\nx',
    'repaired/.claude/skills/a/SKILL.md': '---\ndescription: Use it: now\n---\nx',
    'aliased/.claude/skills/a/SKILL.md': '---\ndescription: &a Use it\nwhen_to_use: *a\n---\nx',
  })
  writeFileSync(
    `${tree.path}/report.cjs`,
    `process.on('exit', () => require('fs').writeSync(2, JSON.stringify({ files: Object.keys(require.cache), builtins: process.moduleLoadList })))`,
  )
})
afterAll(() => tree.dispose())

async function loadedFor(
  folder: string,
  args: readonly string[],
): Promise<{ files: readonly string[]; paths: readonly string[]; readsRuntime: boolean; builtins: readonly string[] }> {
  const { code, stderr } = await runToEnd(
    process.execPath,
    ['-r', `${tree.path}/report.cjs`, program, ...args, '--cwd', folder, '--home', 'home'],
    { cwd: tree.path },
  )
  expect(code).toBe(0)
  const loaded = JSON.parse(stderr.slice(stderr.indexOf('{'))) as { files: string[]; builtins: string[] }
  return {
    // The build's own files are ignored.
    files: loaded.files
      .map(file => basename(file))
      .filter(file => !['report.cjs', 'rolldown-runtime.cjs'].includes(file)),
    paths: loaded.files,
    readsRuntime: loaded.files.some(file => basename(file) === 'rolldown-runtime.cjs'),
    builtins: loaded.builtins,
  }
}

test('a list of sound skills reads one file of the program, besides the one that begins it', async () => {
  const { files, readsRuntime, builtins } = await loadedFor('sound', ['list', '--json'])
  expect(files).toEqual(['skills.cjs', 'main.cjs'])
  expect(readsRuntime).toBe(false)
  for (const heavy of ['net', 'tty', 'stream', 'child_process', 'crypto', 'worker_threads'])
    expect(builtins).not.toContain(`NativeModule ${heavy}`)
})

test('the full parser and its library are read when a skill needs them', async () => {
  expect((await loadedFor('repaired', ['list', '--json'])).files.toSorted()).toEqual([
    'js-yaml.cjs',
    'main.cjs',
    'parser.cjs',
    'plain.cjs',
    'print.cjs',
    'skills.cjs',
  ])
  expect((await loadedFor('aliased', ['list', '--json'])).files.toSorted()).toEqual([
    'js-yaml.cjs',
    'main.cjs',
    'parser.cjs',
    'plain.cjs',
    'skills.cjs',
  ])
})

test('a list for people or pipes reads little more', async () => {
  expect((await loadedFor('sound', ['list'])).files.toSorted()).toEqual(['main.cjs', 'print.cjs', 'skills.cjs'])
  expect(statSync(join(dirname(program), 'print.cjs')).size).toBeLessThan(20 * 1024)
})

/** Returns the files without those that every run starts with and those that many commands share. */
const ownOf = (files: readonly string[]): readonly string[] =>
  files
    .filter(
      file => !/^(?:main|parser|print|rest|searching|listings|asking|installing|checking|skills)\.cjs$/.test(file),
    )
    .toSorted()

test('an overview of few skills makes no listing and asks for no permission', async () => {
  const { files, builtins } = await loadedFor('sound', [])
  expect(files.toSorted()).toEqual(['command-overview.cjs', 'main.cjs', 'print.cjs', 'rest.cjs', 'skills.cjs'])
  expect(builtins).not.toContain('NativeModule child_process')
  expect(statSync(join(dirname(program), 'rest.cjs')).size).toBeLessThan(60 * 1024)
})

test('the help of all commands is one file, read when help is asked for', async () => {
  for (const args of [['--help'], ['list', '--help']])
    expect(ownOf((await loadedFor('sound', args)).files)).toEqual(['command-help.cjs', 'definitions.cjs'])
  const shortest = ['main.cjs', 'print.cjs', 'rest.cjs'].map(name => readFileSync(join(dirname(program), name), 'utf8'))
  for (const { definition } of commands) {
    const { command } = await definition()
    for (const sentence of [command.text, ...Object.values(command.options ?? {})].filter(one => one.length > 20))
      expect(shortest.filter(code => code.includes(sentence))).toEqual([])
  }
})

test.each([
  [[], 'overview'],
  [['explain', 'a'], 'explain'],
  [['show', 'a'], 'show'],
  [['search', 'x'], 'search'],
  [['trust', '--list'], 'trust'],
  [['verify'], 'verify'],
])('of the commands %j reads the one that it names', async (args, folder) => {
  const { files } = await loadedFor('sound', args)
  expect(files.filter(file => file.startsWith('command-'))).toEqual([`command-${folder}.cjs`])
})

test('no command reads another one', () => {
  // The list is part of the first file.
  const names = ['overview', ...commands.map(({ name }) => name.replace(' ', '-'))].filter(name => name !== 'list')
  for (const name of names) {
    const code = readFileSync(join(dirname(program), `command-${name}.cjs`), 'utf8')
    expect(names.filter(other => code.includes(`require("./command-${other}.cjs")`))).toEqual([])
  }
})

test('the version is in the first file', async () => {
  expect((await loadedFor('sound', ['--version'])).files).toEqual(['skills.cjs', 'main.cjs'])
})

test('what asks a registry reads no code of installing, checking and permissions', async () => {
  const named = ['--registry', 'registry.sqlite']
  await loadedFor('sound', ['registry', 'init', ...named])
  const { files } = await loadedFor('sound', ['registry', 'search', 'x', ...named])
  expect(files).toContain('command-registry.cjs')
  expect(files.filter(file => /^(?:listings|asking|installing|checking|parser)\.cjs$/.test(file))).toEqual([])
})

test('what looks after runs reads no library but the one that checks journals, and that for a run alone', async () => {
  const { files, builtins } = await loadedFor('sound', ['runs', '--json'])
  expect(ownOf(files)).toEqual([
    'command-runs.cjs',
    'embedded-runs.cjs',
    'limit-option.cjs',
    'run-keys.cjs',
    'run.cjs',
    'text3.cjs',
    'timeline.cjs',
    'with-runs.cjs',
  ])
  for (const heavy of ['net', 'child_process', 'worker_threads'])
    expect(builtins).not.toContain(`NativeModule ${heavy}`)
})

test('the files of the shortest path stay small', () => {
  expect(statSync(program).size).toBeLessThan(8 * 1024)
  // Every list needs the code that keeps names apart, checks what sources return and continues late ones. Exporting
  // each name that other files share costs 5 KiB, and checking options by their schemas another 5. Each command adds a
  // row of 200 bytes, because every call has to find its command. Skills of several folders with one name, and names that
  // differ in case only, are told apart in every catalog: 1.5 KiB.
  expect(statSync(join(dirname(program), 'main.cjs')).size).toBeLessThan(164 * 1024)
})

test('no file of the program imports natively: that would start the loader of modules, and code that is kept cannot', () => {
  for (const name of readdirSync(dirname(program)).filter(file => file.endsWith('.cjs')))
    expect(readFileSync(join(dirname(program), name), 'utf8'), name).not.toMatch(/[^\w.$"]import\(/)
})

test.each(['mini', 'opencode'])('a list with the distribution %s reads nothing of the others', async name => {
  const { paths } = await loadedFor('sound', ['list', '--json', '--distribution', name])
  const read = paths.map(file => readFileSync(file, 'utf8')).join('\n')
  const known = distributionNames.filter(one => one !== 'standard')
  expect(known.filter(one => new RegExp(`name:[\`"]${one}[\`"]`).test(read))).toEqual([name])
})
