import { afterEach, expect, test } from 'vitest'
import { checkPlugin, initPlugin, scaffoldSkill, standingOf, writeScaffold } from '@skills/authoring'
import { createSkills } from '@skills/core'
import { fileSource } from '@skills/files/source'
import { tempTree, type TempTree } from '@skills/testing'

let tree: TempTree
afterEach(() => tree.dispose())

test('a skill is begun as the README shows', async () => {
  tree = tempTree()
  const source = fileSource({ id: 'mine', source: 'user', roots: () => ({ roots: [{ path: `${tree.path}/skills` }] }) })
  const skills = createSkills({ plugins: [source], onDiagnostic: () => {} })
  const printed: string[] = []
  const print = (line: string | undefined): void => void printed.push(line ?? '')
  try {
    // #region new
    const scaffold = await scaffoldSkill({
      name: 'greet',
      parent: `${tree.path}/skills`,
      description: 'Says hello. Use when the user does.',
    })
    const written = await writeScaffold(scaffold)
    if ('problem' in written) print(written.problem.message)
    else print(standingOf(await skills.catalog(), written.files[0] ?? '')?.goesBy)
    // #endregion new
    expect(printed).toEqual(['greet'])
  } finally {
    await skills.close()
  }
})

test('a plugin for npm is begun and checked as the README shows', async () => {
  tree = tempTree()
  const folder = `${tree.path}/acme-tools`
  const printed: string[] = []
  const print = (line: string): void => void printed.push(line)

  const plugin = { name: 'tools', from: 'host', path: folder, resolveVariable: () => undefined }
  const source = fileSource({
    id: 'plugin',
    source: 'plugin',
    roots: () => ({ roots: [{ path: `${folder}/skills`, plugin }] }),
  })
  // Engine with only this plugin.
  const skills = createSkills({ plugins: [source], onDiagnostic: ({ message }) => print(message) })
  // #region plugin
  const made = await initPlugin({ folder, name: '@acme/tools' })
  if ('problem' in made) print(made.problem.message)

  const check = await checkPlugin(await skills.catalog(), { folder, packed: ['package.json', 'README.md'] })
  for (const { code, message } of check.others) print(`${code}: ${message}`)
  // #endregion plugin
  await skills.close()

  expect(printed).toEqual([
    'untouched-text: The description is still the placeholder.',
    'left-out: npm would leave out skills/first-skill/SKILL.md, so people who install the package do not get tools:first-skill.',
  ])
})
