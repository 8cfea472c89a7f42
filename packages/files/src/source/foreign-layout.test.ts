import { createSkills } from '@skills/core'
import { tempTree, type TreeEntries } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { IgnoreRules } from '../ignore-rules.js'
import { fileSource, type Layout } from '../source.js'

async function listed(
  entries: TreeEntries,
  layout: Layout,
): Promise<{
  names: string[]
  told: string[]
  again: () => Promise<string[]>
  path: string
  write: (more: TreeEntries) => void
}> {
  const tree = tempTree(entries)
  onTestFinished(() => tree.dispose())
  const skills = createSkills({
    plugins: [
      fileSource({ id: 'all', source: 'user', layout, roots: () => ({ roots: [{ path: `${tree.path}/s` }] }) }),
    ],
    onDiagnostic: () => {},
  })
  onTestFinished(() => skills.close())
  const namesIn = (all: Awaited<ReturnType<typeof skills.catalog>>): string[] => all.entries.map(({ name }) => name)
  const first = await skills.catalog()
  return {
    names: namesIn(first),
    told: [...first.errors, ...first.warnings].map(
      ({ code, line }) => `${code}${line === undefined ? '' : `:${line}`}`,
    ),
    again: async () => namesIn(await skills.refresh()),
    path: tree.path,
    write: more => tree.write(more),
  }
}

const skill = (name: string): string => `---\nname: ${name}\ndescription: D.\n---\nBody.\n`

test('Markdown files in the root, or below it, are skills', async () => {
  const entries = {
    's/top.md': skill('top'),
    's/group/low.md': skill('low'),
    's/one/SKILL.md': skill('one'),
    's/one/x.md': skill('x'),
  }
  expect((await listed(entries, { loose: 'root' })).names).toEqual(['one', 'top'])
  expect((await listed(entries, { loose: 'below' })).names).toEqual(['low', 'one'])
  expect((await listed(entries, {})).names).toEqual(['one'])
})

test('files of patterns leave skills out, and count anew at every look', async () => {
  const found = await listed(
    {
      's/.skip': 'a\n',
      's/a/SKILL.md': skill('a'),
      's/b/SKILL.md': skill('b'),
      's/g/.skip': '*\n',
      's/g/c/SKILL.md': skill('c'),
    },
    {
      ignores: root => {
        const rules = IgnoreRules.by(root, ['.skip'])
        return path => rules.ignores(path)
      },
    },
  )
  expect(found.names).toEqual(['b'])
  found.write({ 's/.skip': 'b\n' })
  expect(await found.again()).toEqual(['a'])
})

test('a root may be a skill itself, and a file have as many bytes as the layout says', async () => {
  expect((await listed({ 's/SKILL.md': skill('root') }, { mayBeSkill: true, names: 'field' })).names).toEqual(['root'])
  const large = { 's/a/SKILL.md': skill('a') + 'x'.repeat(1024 * 1024) }
  expect((await listed(large, {})).names).toEqual([])
  expect((await listed(large, { fileBytes: 2 * 1024 * 1024 })).names).toEqual(['a'])
})

test('a dialect of a host’s own reads the frontmatter, with more of the file where it asks for it', async () => {
  const lengths: number[] = []
  const layout: Layout = {
    names: 'field',
    dialect: (text, yaml, { isWhole, isUtf8 }) => {
      lengths.push(text.length)
      const end = text.indexOf('%%')
      if (end === -1)
        return isWhole ? { problem: { code: 'unclosed-frontmatter', message: 'No end.', line: 3 } } : undefined
      const read = yaml(text.slice(0, end), { scalars: 'text', tags: 'ignored', merges: true, dates: true })
      if (!read.ok) return { problem: { code: 'invalid-yaml', message: read.reason, line: read.line + 1 } }
      return { data: { ...(read.value as object), when_to_use: String(isUtf8) }, body: end + 3 }
    },
  }
  const long = `name: !x 12\ndescription: D.\n# ${'é'.repeat(6000)}\n%%\nBody.`
  const found = await listed(
    {
      's/a/SKILL.md': long,
      's/b/SKILL.md': 'name: b\n',
      's/c/SKILL.md': 'name: c\nname: d\n%%\n',
      's/d/SKILL.md': Buffer.from('name: d\ndescription: \xff\n%%\nBody \xff.', 'latin1'),
      's/e/SKILL.md': 'name: e\0\n%%\n',
    },
    layout,
  )
  expect(found.names).toEqual(['12', 'd'])
  expect(found.told).toEqual(['unclosed-frontmatter:3', 'invalid-yaml:2', 'invalid-yaml:1', 'invalid-utf8:2'])
  expect(lengths.some(length => length < long.length) && lengths.includes(long.length)).toBe(true)
})

test('where Markdown files of any name are skills, a folder called SKILL.md is one like others', async () => {
  const entries = { 's/a/SKILL.md/low.md': skill('low'), 's/b/SKILL.md': skill('b') }
  const found = await listed(entries, { loose: 'below' })
  expect([found.names, found.told]).toEqual([['low', 'b'], []])
  found.write({ 's/a/SKILL.md/more.md': skill('more') })
  expect(await found.again()).toEqual(['low', 'more', 'b'])
  expect((await listed(entries, {})).told).toEqual(['not-a-file'])
})
