import { execFileSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { tempTree } from '@skills/testing'
import { LocalStore } from './local-store.js'
import { selectedStore } from './selected-reads.js'
import { SkillTree } from './skill-tree.js'

const skill = (name: string, more = ''): string => `---\nname: ${name}\n${more}---\nBody of wanted.\n`

async function foundIn(
  path: string,
  wanted: string,
  walks = 1,
): Promise<{ readonly items: readonly string[]; readonly problems: readonly string[]; readonly filesRead: number }> {
  const store = selectedStore(new LocalStore(), {
    isWantedAt: file => file.includes(`/${wanted}`),
    isWantedFor: block => block.includes(wanted),
  })
  const tree = new SkillTree<string>({ root: path, walk: 'deep', now: Date.now, store, read: ({ name }) => name })
  const { signal } = new AbortController()
  let state = await tree.scan(signal)
  for (let count = 1; count < walks; count++) state = (await tree.rescan(undefined, signal)) ?? state
  return { items: state.items, problems: state.problems.map(({ code }) => code), filesRead: tree.filesRead }
}

test('a walk gets what is wanted by its path or by its frontmatter, and has to open the others all the same', async () => {
  const tree = tempTree({
    'a/SKILL.md': skill('a'),
    'b/SKILL.md': skill('wanted'),
    'group/wanted/SKILL.md': skill('c'),
    'group/d/SKILL.md': skill('d', `about: ${'x'.repeat(5000)}\n`),
    'e/SKILL.md': 'no frontmatter',
    'wanted-link': { link: 'a' },
    'f/SKILL.md': { link: '../a/SKILL.md' },
  })
  onTestFinished(() => tree.dispose())
  // These are also read: files whose frontmatter is not whole in the first bytes or not recognised there, and files
  // that a link gives another name.
  const expected = { items: ['b', 'e', 'f', 'd', 'wanted', 'wanted-link'], problems: [], filesRead: 7 }
  expect(await foundIn(tree.path, 'wanted')).toEqual(expected)
  expect((await foundIn(tree.path, 'wanted', 2)).items).toEqual(expected.items)
})

test('what is no plain file is said to be none, and a pipe loses nothing', async () => {
  const tree = tempTree({ 'first/SKILL.md': skill('first'), 'pipe/x': '', 'gone/x': '' })
  onTestFinished(() => tree.dispose())
  execFileSync('mkfifo', [`${tree.path}/pipe/SKILL.md`])
  expect(await foundIn(tree.path, 'wanted')).toMatchObject({ items: [], problems: ['not-a-file'] })
})
