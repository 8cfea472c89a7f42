import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { tempTree, type TempTree } from '@skills/testing'
import { cleanEnv, program, runToEnd } from './built.js'

// Runs the built program, with its code cache kept between runs.

let tree: TempTree
beforeAll(() => {
  tree = tempTree({ 'home/.claude/skills/a/SKILL.md': '---\nname: a\ndescription: x\n---\nx' })
})
afterAll(() => tree.dispose())
beforeEach(() => tree.write({ cache: { dir: true } }))
afterEach(() => tree.remove('cache'))

const folder = (): string => join(tree.path, 'cache/skills/code')

function skills(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const own = cleanEnv({
    HOME: join(tree.path, 'home'),
    XDG_CACHE_HOME: join(tree.path, 'cache'),
    NODE_DISABLE_COMPILE_CACHE: '',
    ...env,
  })
  return runToEnd(process.execPath, [program, ...args], { cwd: tree.path, env: own })
}

const keptFiles = (): readonly string[] =>
  existsSync(folder())
    ? readdirSync(folder())
        .map(name => name.replace(/-[\da-f]+\.bin$/, ''))
        .toSorted()
    : []
const mainFile = (): string => join(folder(), readdirSync(folder()).find(name => name.startsWith('main-')) ?? '')

test.each([[['list', '--json']], [['explain', 'a']], [['list', '--source', 'missing']], [['lint']], [['--help']]])(
  '%j says the same with it, without it, and the second time',
  async args => {
    const without = await skills(args, { NODE_DISABLE_COMPILE_CACHE: '1' })
    expect(keptFiles()).toEqual([])
    expect(await skills(args)).toEqual(without)
    expect(await skills(args)).toEqual(without)
  },
)

test('a list keeps the one file that it needs, and the next one leaves it alone', async () => {
  await skills(['list', '--json'])
  expect(keptFiles()).toEqual(['main'])
  const { ino } = statSync(mainFile())
  await skills(['list', '--json'])
  expect(statSync(mainFile()).ino).toBe(ino)
})

test('what is typed wrong is not kept as if it were a command', async () => {
  expect(await skills(['lists'])).toMatchObject({ code: 2 })
  expect(keptFiles()).toEqual([])
})

test('what V8 does not know is compiled again, and written anew', async () => {
  const first = await skills(['list', '--json'])
  const bytes = readFileSync(mainFile())
  const start = bytes.indexOf('\n') + 1
  writeFileSync(mainFile(), Buffer.concat([bytes.subarray(0, start), Buffer.alloc(bytes.length - start, 'x')]))
  expect(await skills(['list', '--json'])).toEqual(first)
  expect(
    readFileSync(mainFile())
      .subarray(start)
      .every(byte => byte === 'x'.charCodeAt(0)),
  ).toBe(false)
})

test('a folder that others may write to is not used', async () => {
  tree.write({ 'cache/skills/code': { dir: true, mode: 0o777 } })
  expect(await skills(['list'])).toMatchObject({ code: 0, stdout: 'a\tuser\tx\n' })
  expect(keptFiles()).toEqual([])
})

test('without a home folder it runs, and makes none', async () => {
  const home = join(tree.path, 'missing')
  expect(await skills(['--version'], { HOME: home })).toMatchObject({ code: 0, stderr: '' })
  expect([existsSync(home), keptFiles()]).toEqual([false, []])
})

test('what a disk lost blocks of is compiled again, and ends no process', async () => {
  const first = await skills(['list', '--json'])
  const bytes = readFileSync(mainFile())
  const middle = Math.floor(bytes.length / 2)
  for (const from of [middle, bytes.length - 4096]) {
    writeFileSync(mainFile(), Buffer.from(bytes).fill(0, from, from + 4096))
    expect(await skills(['list', '--json'])).toEqual(first)
  }
})

test.each(['/dev/null/home', `/${'x'.repeat(300)}`])(
  'with %s for a home folder it runs, and keeps nothing',
  async home => {
    expect(await skills(['--version'], { HOME: home })).toMatchObject({ code: 0, stderr: '' })
    expect(keptFiles()).toEqual([])
  },
)
