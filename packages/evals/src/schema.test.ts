import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { afterEach, expect, test } from 'vitest'
import { readEvalCases } from './cases/read-eval-cases.js'
import { tempTree, type TempTree } from '@skills/testing'

let tree: TempTree | undefined
afterEach(() => tree?.dispose())

const schema: object = JSON.parse(readFileSync(new URL('../evals.schema.json', import.meta.url), 'utf8'))
const fits = new Ajv({ strict: false }).compile(schema)

test.each<[unknown, boolean]>([
  [{ skill_name: 'a', evals: [{ id: 1, prompt: 'x', expected_output: 'y', files: [], expectations: ['z'] }] }, true],
  [[{ query: 'x', should_trigger: true }], true],
  [
    { queries: [{ query: 'x', should_trigger: false, files: [{ path: 'a/b.txt', text: '' }], allow: ['Bash(ls)'] }] },
    true,
  ],
  [
    { evals: [{ prompt: 'x', assertions: [{ file: 'a', schema: {} }, { command: 'ls' }, 'z', { matches: '^a' }] }] },
    true,
  ],
  [{ evals: [{ prompt: 'x', assertions: [{ file: 'a', absent: true }] }] }, true],
  [{ evals: [{ prompt: '' }] }, false],
  [{ evals: [{}] }, false],
  [{ evals: {} }, false],
  [{ other: 1 }, false],
  [[{ query: 'x' }], false],
  [{ queries: [{ query: 'x', should_trigger: true, files: [{ path: '../a', text: '' }] }] }, false],
  [{ queries: [{ query: 'x', should_trigger: true, files: [{ path: 'a/./b', text: '' }] }] }, false],
  [{ queries: [{ query: 'x', should_trigger: true, files: [{ path: '/a', text: '' }] }] }, false],
  [{ queries: [{ query: 'x', should_trigger: true, files: [{ path: 'a' }] }] }, false],
  [{ evals: [{ prompt: 'x', assertions: [{ file: 'a', command: 'ls' }] }] }, false],
  [{ evals: [{ prompt: 'x', assertions: [{}] }] }, false],
])('the published schema and the reader say the same of %j', async (value, isSound) => {
  tree = tempTree({ 'a/SKILL.md': '---\ndescription: x\n---\nx', 'a/evals/evals.json': JSON.stringify(value) })
  const { cases } = await readEvalCases(`${tree.path}/a/SKILL.md`, 'a')
  expect([cases !== undefined, fits(value)]).toEqual([isSound, isSound])
})
