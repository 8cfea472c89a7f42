import { chmodSync, mkdirSync, readdirSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tempTree, withoutRoot, type TempTree } from '@skills/testing'
import { lintFiles } from '@skills/inspect'
import { initPlugin } from './init-plugin.js'

let tree: TempTree
beforeEach(() => {
  tree = tempTree()
})
afterEach(() => tree.dispose())

test('nothing but the placeholder is wrong with the first skill, the rules of the open standard included', async () => {
  const made = await initPlugin({ folder: `${tree.path}/acme` })
  if ('problem' in made) throw new Error(made.problem.message)
  const { files } = await lintFiles(
    made.files.filter(path => path.endsWith('SKILL.md')),
    { standard: true },
  )
  expect(files.map(({ diagnostics }) => diagnostics.map(({ code }) => code))).toEqual([['untouched-text']])
})

test('a folder that may not be written to is a problem, and nothing is left in it', async () => {
  tree.write({ 'acme/package.json': '{"name":"acme"}' })
  chmodSync(tree.path, 0o755)
  chmodSync(`${tree.path}/acme`, 0o555)
  await withoutRoot(async () => {
    expect(await initPlugin({ folder: `${tree.path}/acme` })).toMatchObject({
      problem: { severity: 'error', code: 'not-written' },
    })
    expect(await initPlugin({ folder: `${tree.path}/acme/inner` })).toMatchObject({
      problem: { severity: 'error', code: 'not-written' },
    })
  })
  expect(readdirSync(`${tree.path}/acme`)).toEqual(['package.json'])
})

test('a signal that aborted leaves nothing, in a new folder and in one that is there', async () => {
  mkdirSync(`${tree.path}/there`)
  const signal = AbortSignal.abort()
  await expect(initPlugin({ folder: `${tree.path}/acme`, signal })).rejects.toMatchObject({ name: 'AbortError' })
  await expect(initPlugin({ folder: `${tree.path}/there`, signal })).rejects.toMatchObject({ name: 'AbortError' })
  expect(readdirSync(tree.path)).toEqual(['there'])
  expect(readdirSync(`${tree.path}/there`)).toEqual([])
})

test('a folder that has no name for a package is renamed, or has its package file say one', async () => {
  mkdirSync(`${tree.path}/My Plugin`)
  const folder = `${tree.path}/My Plugin`
  const refused = initPlugin({ folder })
  await expect(refused).rejects.toThrow(
    'The name comes from the folder. Rename the folder to my-plugin, or write another "name" into a package.json in it.',
  )
  await expect(initPlugin({ folder: `${tree.path}/mcp` })).rejects.toThrow('package.json')
  // A given name is proposed even if it is taken, because that plugin may be meant.
  await expect(initPlugin({ folder, name: 'My Plugin' })).rejects.toThrow('Did you mean my-plugin?')
  tree.write({ 'My Plugin/package.json': '{"name":"my-plugin"}' })
  expect(await initPlugin({ folder })).toMatchObject({ name: 'my-plugin' })
})

test('a plugin that is one skill is published whole', async () => {
  tree.write({ 'acme/SKILL.md': '---\ndescription: x\n---\nx' })
  await initPlugin({ folder: `${tree.path}/acme` })
  expect(readdirSync(`${tree.path}/acme`).sort()).toEqual(['README.md', 'SKILL.md', 'package.json'])
})

test('a description that the standard does not accept is refused', async () => {
  await expect(initPlugin({ folder: `${tree.path}/acme`, description: ' ' })).rejects.toMatchObject({
    code: 'E_INVALID_OPTION',
  })
  expect(readdirSync(tree.path)).toEqual([])
})
