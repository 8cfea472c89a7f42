import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { cleanEnv, runToEnd, type Ended } from './built.js'
import { runIn } from './console.js'

let tree: TempTree
beforeEach(() => {
  tree = tempTree()
})
afterEach(() => tree.dispose())

/**
 * Runs the program in the README of an installed plugin, as a reader would paste it, with the built packages beside it.
 */
async function pasted(plugin: string, change = (program: string): string => program): Promise<Ended> {
  const [, program = ''] = /```js\n([^]*?)```/.exec(readFileSync(`${plugin}/README.md`, 'utf8')) ?? []
  mkdirSync(`${tree.path}/host/node_modules/@skills`, { recursive: true })
  for (const name of ['core', 'distributions'])
    symlinkSync(
      fileURLToPath(new URL(`../../${name}`, import.meta.url)),
      `${tree.path}/host/node_modules/@skills/${name}`,
    )
  tree.write({ 'host/main.mjs': change(program) })
  return runToEnd(process.execPath, ['main.mjs'], { cwd: `${tree.path}/host`, env: cleanEnv({ HOME: tree.path }) })
}

test.each(['acme-tools', '@acme/tools'])(
  'the README of a new plugin called %s has a program that loads it',
  async name => {
    const folder = `${tree.path}/host/node_modules/${name}`
    mkdirSync(`${folder}/..`, { recursive: true })
    expect(await runIn(['plugin', 'init', name, '--cwd', `${folder}/..`], { cwd: tree.path })).toMatchObject({
      code: 0,
    })
    const { code, stdout, stderr } = await pasted(folder)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`${name.replace(/^@[^/]*\//, '')}:first-skill\n`)
  },
)

test('the program of the README says who chose the plugin, so that its hooks and commands may run', async () => {
  const folder = `${tree.path}/host/node_modules/acme-tools`
  mkdirSync(`${folder}/..`, { recursive: true })
  await runIn(['plugin', 'init', 'acme-tools', '--cwd', `${folder}/..`], { cwd: tree.path })
  const level =
    "(await skills.use('trust').first((trust, call) => trust.judge(command, false, call), { signal: skills.signal })).level"
  expect((await pasted(folder, program => program.replace('console.log(name)', `console.log(${level})`))).stdout).toBe(
    'trusted\n',
  )
})

test('a quote in the name of a package that is there does not end the text in the program', async () => {
  const folder = `${tree.path}/host/node_modules/it's`
  mkdirSync(folder, { recursive: true })
  tree.write({ "host/node_modules/it's/package.json": '{"name":"it\'s"}' })
  expect(await runIn(['plugin', 'init', '--cwd', folder], { cwd: tree.path })).toMatchObject({ code: 0 })
  expect(await pasted(folder)).toMatchObject({ code: 0 })
})
