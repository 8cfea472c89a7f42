import { createSkills, type Diagnostic } from '@skills/core'
import { fakeHost, tempTree, type TreeEntries } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { fileSource, type FileSourceOptions, type Layout } from '../source.js'

async function load(entries: TreeEntries, layout: Layout, more: Partial<FileSourceOptions> = {}) {
  const tree = tempTree(entries)
  const told: Diagnostic[] = []
  const skills = createSkills({
    host: fakeHost({ home: tree.path }),
    qualifyLosers: false,
    identityOf: () => undefined,
    onDiagnostic: one => told.push(one),
    plugins: [
      fileSource({
        id: 'files',
        source: 'project',
        roots: () => ({ roots: [{ path: `${tree.path}/skills` }] }),
        layout,
        ...more,
      }),
    ],
  })
  onTestFinished(() => skills.close().then(() => tree.dispose()))
  const catalog = await skills.catalog()
  const commands = catalog.entries.flatMap(({ command }) => (command.type === 'prompt' ? [command] : []))
  return { tree, told, catalog, commands, names: commands.map(({ name }) => name) }
}

const skill = (name: string, body = 'Body.') => `---\nname: ${name}\ndescription: About ${name}.\n---\n${body}`

test('a skill goes by the name in its frontmatter where that is wanted, and by its folder where that could be a path', async () => {
  const { commands } = await load(
    { 'skills/a/SKILL.md': skill('other'), 'skills/b/SKILL.md': skill('../x'), 'skills/c/SKILL.md': 'Text.' },
    { names: 'field' },
  )
  expect(commands.map(({ name, displayName, baseDir }) => [name, displayName, baseDir?.slice(-1)])).toEqual([
    ['other', 'other', 'a'],
    ['b', 'b', 'b'],
    ['c', 'c', 'c'],
  ])
})

test('a field that must be there is an error where it is not', async () => {
  const { names, catalog } = await load(
    { 'skills/a/SKILL.md': '---\nname: a\n---\n', 'skills/b/SKILL.md': skill('b') },
    { required: ['name', 'description'] },
  )
  expect([names, catalog.errors.map(({ code, field, name }) => [code, field, name])]).toEqual([
    ['b'],
    [['missing-field', 'description', 'a']],
  ])
})

test('a field that must be there and is wrong is one error, and not missing besides', async () => {
  const { names, catalog } = await load(
    { 'skills/a/SKILL.md': '---\nname: [a]\n---\n' },
    { required: ['name', 'description'] },
  )
  expect([names, catalog.errors.map(({ code, field }) => [code, field])]).toEqual([
    [],
    [
      ['invalid-text', 'name'],
      ['missing-field', 'description'],
    ],
  ])
})

test('what stands in for a description is what the layout says', async () => {
  const of = async (fallback: Layout['fallback'], body: string) =>
    (await load({ 'skills/a/SKILL.md': `---\nname: x\n---\n${body}` }, fallback === undefined ? {} : { fallback }))
      .commands[0]?.description
  const body = 'Text.\n\n# Title\n'
  expect([
    await of(undefined, body),
    await of({ from: 'heading' }, body),
    await of({ from: 'heading' }, 'Text.'),
    await of({ from: 'heading', otherwise: 'Skill' }, 'Text.'),
    await of({ from: 'nothing', otherwise: '' }, body),
  ]).toEqual(['Text.', 'Title', 'a', 'Skill', ''])
  // The heading lies below the head of the file that is read first.
  expect(await of({ from: 'heading' }, `${'Line.\n'.repeat(5000)}# Far\n`)).toBe('Far')
})

test('frontmatter in lines is cut off in the same way when the body is read', async () => {
  const { commands, catalog } = await load(
    {
      'skills/a/SKILL.md': '---\nname: a\ndescription: [1, {\n---\nBody of a.',
      'skills/b/SKILL.md': '---\nname: b\nNever closed.',
      'skills/c/SKILL.md': Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0]),
    },
    { dialect: 'lines' },
  )
  const { signal } = new AbortController()
  expect(await Promise.all(commands.map(command => command.load('', { signal })))).toEqual([
    { template: 'Body of a.' },
    { template: '---\nname: b\nNever closed.' },
  ])
  expect(catalog.errors.map(({ code, name }) => [code, name])).toEqual([['binary-file', 'c']])
})

test('a body over its limit is an error, with a reason where the layout has one', async () => {
  const layout: Layout = { bodyBytes: 5, reasons: { 'content-too-long': 'TooLong({length})' } }
  const { names, catalog } = await load(
    { 'skills/a/SKILL.md': skill('a', '12345'), 'skills/b/SKILL.md': skill('b', '123456') },
    layout,
  )
  expect([names, catalog.errors.map(({ code, message }) => [code, message])]).toEqual([
    ['a'],
    [['content-too-long', expect.stringMatching(/^TooLong\(6\): .* 6 bytes; .* 5 /) as string]],
  ])
})

test('a name on disk over its limit in bytes is an error', async () => {
  const layout: Layout = { nameBytes: 4, reasons: { 'name-too-long': 'NameTooLong({length})' } }
  const { names, catalog } = await load({ 'skills/éé/SKILL.md': skill('a'), 'skills/ééé/SKILL.md': skill('b') }, layout)
  expect([names, catalog.errors.map(({ code, message }) => [code, message])]).toEqual([
    ['éé'],
    [['name-too-long', expect.stringMatching(/^NameTooLong\(6\): .* 6 bytes; .* 4 /) as string]],
  ])
})

test('every skill is hidden where the layout says so', async () => {
  const entries = { 'skills/a/SKILL.md': skill('a') }
  expect([
    (await load(entries, { hides: 'all' })).commands[0]?.isHidden,
    (await load(entries, {})).commands[0]?.isHidden,
  ]).toEqual([true, false])
})

test('of two of one name the one found last keeps it where that is wanted, and the other is told of', async () => {
  const entries = {
    'skills/a/SKILL.md': skill('one', 'A'),
    'skills/b/SKILL.md': skill('two'),
    'skills/c/SKILL.md': skill('one', 'C'),
  }
  const { commands, told, tree } = await load(entries, { names: 'field' }, { wins: 'last' })
  expect(commands.map(({ name, baseDir }) => [name, baseDir?.slice(-1)])).toEqual([
    ['two', 'b'],
    ['one', 'c'],
  ])
  expect(told).toMatchObject([
    { code: 'overwritten', severity: 'warning', name: 'one', path: `${tree.path}/skills/a/SKILL.md` },
  ])
  expect((await load(entries, { names: 'field' })).commands.map(({ baseDir }) => baseDir?.slice(-1))).toEqual([
    'a',
    'b',
  ])
})
