import { gzipSync } from 'node:zlib'
import { LocalStore } from '@skills/files'
import { fakeHost, tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { tarOf } from '../test/archives.js'
import { broughtSkills, type BroughtSkills } from './brought-skills.js'
import { openSource } from './open-source.js'
import { findSkills } from './skill-files.js'

const text = '---\ndescription: x\n---\nx\n'

const schema = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json'

const layouts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  plain: { 'skills/cloud/a/SKILL.md': text, 'skills/.curated/b/SKILL.md': text, 'docs/c/SKILL.md': text },
  'for agents alone': { '.claude/skills/a/SKILL.md': text, '.cursor/skills/b/SKILL.md': text },
  listed: {
    'package.json': '{ "name": "kit", "skillsPaths": ["./own"] }',
    'own/a/SKILL.md': text,
    'examples/b/SKILL.md': text,
  },
  marketplace: {
    '.claude-plugin/marketplace.json': JSON.stringify({
      name: 'm',
      owner: { name: 'x' },
      metadata: { pluginRoot: './plugins' },
      plugins: [
        { name: 'one', source: 'one' },
        { name: 'far', source: { source: 'github', repo: 'o/far' } },
      ],
    }),
    'plugins/one/.claude-plugin/plugin.json': '{ "name": "one", "skills": ["./picked"] }',
    'plugins/one/picked/a/SKILL.md': text,
    'plugins/one/left/b/SKILL.md': text,
  },
  'of the standard': {
    'plugin.json': `{ "$schema": "${schema}", "name": "acme" }`,
    '.claude-plugin/plugin.json': '{ "name": "acme", "skills": ["./more"] }',
    'skills/a/SKILL.md': text.replace('---\n', '---\nname: a\n'),
    'skills/nameless/SKILL.md': text,
    'skills/group/b/SKILL.md': text.replace('---\n', '---\nname: b\n'),
    'more/c/SKILL.md': text.replace('---\n', '---\nname: c\n'),
  },
  'of a refused manifest of the standard': {
    'plugin.json': `{ "$schema": "${schema}", "name": "Bad Name!!" }`,
    'skills/a/SKILL.md': text.replace('---\n', '---\nname: a\n'),
  },
  'of broken manifests': { '.claude-plugin/marketplace.json': '{', 'skills/a/SKILL.md': text },
}

test.each(Object.entries(layouts))('of the layout "%s" a folder and an archive bring the same', async (what, files) => {
  const tree = tempTree(Object.fromEntries(Object.entries(files).map(([path, content]) => [`own/${path}`, content])))
  onTestFinished(() => tree.dispose())
  const tar = gzipSync(tarOf(...Object.entries(files).map(([path, content]) => ({ path, content }))))
  tree.write({ 'own.tgz': tar })
  const host = fakeHost({ cwd: tree.path, home: tree.path })
  const signal = new AbortController().signal
  const told = ({ skills, others, remote }: BroughtSkills) => ({
    skills: skills.map(({ path }) => path),
    others: others.map(({ path }) => path).toSorted(),
    remote,
  })
  const answers = []
  for (const source of [
    { type: 'folder', path: `${tree.path}/own` },
    { type: 'archive', at: `${tree.path}/own.tgz` },
  ] as const) {
    const opened = await openSource(source, { host, signal })
    try {
      answers.push(told(await broughtSkills(opened, undefined, signal)))
    } finally {
      await opened.close()
    }
  }
  expect(answers[1]).toEqual(answers[0])
  expect(answers[0]).toEqual(
    {
      plain: { skills: ['skills/cloud/a', 'skills/.curated/b'], others: ['docs/c'], remote: [] },
      'for agents alone': { skills: ['.claude/skills/a', '.cursor/skills/b'], others: [], remote: [] },
      listed: { skills: ['own/a'], others: ['examples/b'], remote: [] },
      marketplace: { skills: ['plugins/one/picked/a'], others: ['plugins/one/left/b'], remote: ['far'] },
      'of the standard': { skills: ['skills/a'], others: ['more/c', 'skills/group/b', 'skills/nameless'], remote: [] },
      'of a refused manifest of the standard': { skills: [], others: ['skills/a'], remote: [] },
      'of broken manifests': { skills: ['skills/a'], others: [], remote: [] },
    }[what],
  )
})

test('a refused manifest of the standard says why it brings nothing', async () => {
  const tree = tempTree({ 'own/plugin.json': `{ "$schema": "${schema}" }`, 'own/skills/a/SKILL.md': text })
  onTestFinished(() => tree.dispose())
  const host = fakeHost({ cwd: tree.path, home: tree.path })
  const { signal } = new AbortController()
  const opened = await openSource({ type: 'folder', path: `${tree.path}/own` }, { host, signal })
  onTestFinished(() => opened.close())
  expect((await broughtSkills(opened, undefined, signal)).refusal).toMatch(/^"name" .* is missing\.$/)
})

test('a skill whose file is too large, or a link that leads out, is found, so that it is refused or warned of by name', async () => {
  const tree = tempTree({
    'own/fine/SKILL.md': text,
    'own/group/huge/SKILL.md': `${text}${'x'.repeat(1024 * 1024)}`,
    'own/out/SKILL.md': { link: '../../secret' },
    secret: text,
  })
  onTestFinished(() => tree.dispose())
  const found = await findSkills({ store: new LocalStore(), root: `${tree.path}/own`, name: 'own' })
  expect(found).toEqual([
    { name: 'fine', path: 'fine' },
    { name: 'huge', path: 'group/huge' },
    { name: 'out', path: 'out' },
  ])
})
