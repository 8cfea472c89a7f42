import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { lintFiles } from './lint-files.js'

test.each([
  ['a description of the template', 'Describe here what a does. Use when asked.', 'Do it.', ['3:14 untouched-text']],
  [
    'a text of the template',
    'Does it. Use when asked.',
    '\nWrite here what the model is to do, step by step, as one does.',
    ['6:1 untouched-text'],
  ],
  ['a link to nothing', 'Does it. Use when asked.', 'See [it](it.md) and [here](SKILL.md).', ['5:10 dead-link']],
  ['nothing', 'Does it. Use when asked.', 'See `[it](it.md)`, and describe here what it does.', []],
])('lint says of a skill with %s', async (_what, description, body, found) => {
  const tree = tempTree({ 'a/SKILL.md': `---\nname: a\ndescription: ${description}\n---\n${body}\n` })
  onTestFinished(() => tree.dispose())
  const { files } = await lintFiles([`${tree.path}/a/SKILL.md`])
  expect(files.flatMap(one => one.diagnostics).map(({ line, column, code }) => `${line}:${column} ${code}`)).toEqual(
    found,
  )
})
