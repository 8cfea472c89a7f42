import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { expect, it, onTestFinished } from 'vitest'
import { start } from '../test/engine.js'

const asked = [
  'statSync',
  'lstatSync',
  'readdirSync',
  'opendirSync',
  'openSync',
  'realpathSync',
  'readFileSync',
  'readlinkSync',
] as const

/** Counts the calls to the file system. */
function countingCalls(): () => number {
  let calls = 0
  for (const name of asked) {
    const original = fs[name]
    Object.assign(fs, {
      [name]: Object.assign((...given: unknown[]): unknown => (calls++, Reflect.apply(original, fs, given)), original),
    })
    onTestFinished(() => {
      Object.assign(fs, { [name]: original })
      syncBuiltinESMExports()
    })
  }
  syncBuiltinESMExports()
  return () => calls
}

it('a touched folder costs as many questions to the system with a hundred known ones as with ten', async () => {
  const numbers = Array.from({ length: 100 }, (_, at) => at)
  const { touch, names } = start(
    Object.fromEntries(numbers.map(at => [`repo/m${at}/.claude/skills/s${at}/SKILL.md`, `Number ${at}.`])),
  )
  await names()
  const calls = countingCalls()
  const costs: number[] = []
  for (const at of numbers) {
    const before = calls()
    touch(`m${at}/x`)
    expect(await names()).toHaveLength(at + 1)
    costs.push(calls() - before)
  }
  expect(costs[10]).toBeGreaterThan(0)
  expect(costs[99]).toBeLessThanOrEqual(costs[10] ?? 0)
})

it('what git ignores is judged again for every known folder once a file of its rules is touched, or named', async () => {
  const { touch, names, skills, tree, cwd } = start({
    'repo/a/.claude/skills/a/SKILL.md': 'x',
    'repo/b/.claude/skills/b/SKILL.md': 'x',
    'repo/c/.claude/skills/c/SKILL.md': 'x',
  })
  await names()
  touch('a/x', 'b/x')
  expect(await names()).toEqual(['a', 'b'])
  tree.write({ 'repo/.gitignore': 'a/\n' })
  touch('.gitignore', 'c/x')
  expect(await names()).toEqual(['b', 'c'])
  tree.write({ 'repo/.gitignore': 'b/\n' })
  skills.invalidate([`${cwd}/.gitignore`])
  expect(await names()).toEqual(['a', 'c'])
})
