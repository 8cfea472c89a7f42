import { afterEach, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { powersOf, powersOfFiles } from './powers.js'

let tree: TempTree | undefined
afterEach(() => {
  tree?.dispose()
  tree = undefined
})

test('many skills that are audited at once have the powers that each has alone', async () => {
  const skill = (body: string, fields = ''): string => `---\ndescription: x\n${fields}---\n${body}\n`
  const texts: Readonly<Record<string, string>> = {
    plain: skill('Hello.'),
    runs: skill('Now !`touch ran`.'),
    hooks: skill(
      'Hello.',
      'hooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: touch x\n',
    ),
    twin: skill('Now !`touch ran`.'),
    deploy: skill('Ships !`git push`.'),
    dep1oy: skill('Ships too.'),
    Deploy: skill('Ships as well.'),
    broken: '---\ndescription: x\n',
    empty: '',
    links: skill('See [the page](https://example.com/x).'),
  }
  tree = tempTree(
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${name}-folder/${name}/SKILL.md`, text])),
  )
  const alone = []
  for (const name of Object.keys(texts)) alone.push(await powersOf(`${tree.path}/${name}-folder/${name}`))
  const files = Object.entries(texts).map(([name, text]) => ({
    name,
    files: [{ path: 'SKILL.md', bytes: Buffer.from(text), isExecutable: false }],
  }))
  expect(await powersOfFiles(files)).toEqual(alone)
  expect(new Set(alone.map(({ level }) => level)).size).toBeGreaterThan(2)
})
