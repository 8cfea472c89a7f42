import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { openOver } from '../test/open-over.js'

// Descriptions that are not plain texts, with what `openclaw skills list` of 2026.9.6 says of each.
test.each([
  ['"Quoted" then: text', '"Quoted" then: text'],
  ['"a" "b"', 'a" "b'],
  ['""a""', '"a"'],
  ["it's: a", "it's: a"],
  ['[a](b): c', '[a](b): c'],
  ['{*', '{*'],
  ['|x: y', '|x: y'],
  ['# a', '# a'],
  ['~', '~'],
  ['{a: b}', '{a: b}'],
  ['[a]', '["a"]'],
  ['|', undefined],
  ['!a', undefined],
  ['""', undefined],
])('openclaw reads the description %s as %j', async (written, read) => {
  const tree = tempTree({
    'home/.keep': '',
    'project/.agents/skills/one/SKILL.md': `---\nname: one\ndescription: ${written}\n---\nBody.\n`,
  })
  onTestFinished(() => tree.dispose())
  const { skills } = await openOver(tree, 'openclaw', { cwd: 'project', home: 'home' })
  onTestFinished(() => skills.close())
  expect((await skills.catalog()).get('one')?.command.description).toBe(read)
})
