import { spawnSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../workspace.mjs'

const promises =
  readFileSync(path.join(root, 'SECURITY.md'), 'utf8').split('## What is promised')[1]?.split('\n## ')[0] ?? ''
const named = [...promises.matchAll(/^\| \*\*.*\| (`[a-z-]+`(?:, `[a-z-]+`)*) \|$/gm)].map(([, attacks = '']) =>
  [...attacks.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name),
)
const attacks = readdirSync(path.join(root, 'scripts/attack'))
  .filter(file => file.endsWith('.attack.mjs'))
  .map(file => file.replace('.attack.mjs', ''))

test('each promise of SECURITY.md names an attack that there is', () => {
  expect(named.length).toBe(promises.split('\n').filter(line => line.startsWith('| **')).length)
  expect(named.flat().filter(name => !attacks.includes(name ?? ''))).toEqual([])
})

test('each attack belongs to a promise', () => {
  expect(attacks.length).toBeGreaterThan(0)
  expect(attacks.filter(name => !named.flat().includes(name))).toEqual([])
})

// A library that an attack loads may end the process with 0.
test('an attack that does not hold is a failing check', () => {
  const program = path.join(root, 'scripts/attack/run.mjs')
  const { status, stdout } = spawnSync(process.execPath, [program, 'hostile-names', '--count', '0'], {
    encoding: 'utf8',
  })
  expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining('0 passed, 1 failed') })
})
