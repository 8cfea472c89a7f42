import { afterEach, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { listPacked } from './npm-pack.js'

let tree: TempTree
afterEach(() => tree.dispose())

/** Returns the files listed by an npm that prints this output. */
function listed(output: string) {
  tree = tempTree({ 'bin/npm': { content: `#!/bin/sh\ncat <<'END'\n${output}\nEND\n`, mode: 0o755 } })
  return listPacked(tree.path, {
    env: { PATH: `${tree.path}/bin:${process.env['PATH'] ?? ''}` },
    signal: new AbortController().signal,
  })
}

const packed = {
  filename: 'a-1.0.0.tgz',
  files: [{ path: 'package.json' }, { size: 1 }, [], null, { path: 'skills/a/SKILL.md' }],
}

test.runIf(process.platform !== 'win32').each([
  ['a list', [packed]],
  ['a record', { a: packed }],
])('npm may give %s, and a script may have written before it', async (_, given) => {
  expect(await listed(`> prepack\n${JSON.stringify(given)}`)).toEqual({
    filename: 'a-1.0.0.tgz',
    files: ['package.json', 'skills/a/SKILL.md'],
  })
})

test.runIf(process.platform !== 'win32').each([[[]], [{}], [[[packed]]], [[{ ...packed, files: {} }]]])(
  'anything else is not understood: %j',
  async given => {
    await expect(listed(JSON.stringify(given))).rejects.toThrow(/^npm pack .* understood/)
  },
)

test.runIf(process.platform !== 'win32')('what is only begun is no file of the package', async () => {
  const begun = '0b7d5a4e-1c2d-4e3f-8a9b-0c1d2e3f4a5b.tmp'
  const files = [
    `skills/a/.SKILL.md.${begun}`,
    `skills/.new-skill.${begun}/SKILL.md`,
    'skills/a/SKILL.md',
    'skills/a/.notes.tmp',
  ].map(path => ({ path }))
  expect((await listed(JSON.stringify([{ ...packed, files }]))).files).toEqual([
    'skills/a/SKILL.md',
    'skills/a/.notes.tmp',
  ])
})
