import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Reason } from '@skills/core'
import { stateWords } from '../src/output/state-words.js'

const readme = fileURLToPath(new URL('../README.md', import.meta.url))

/** All causes. A new one does not compile until it is added here. */
const causes: Readonly<Record<Reason['cause'], true>> = {
  flag: true,
  override: true,
  disabled: true,
  error: true,
  shadowed: true,
  gate: true,
  permission: true,
  budget: true,
  removed: true,
}

test('the tables of what explain answers name every state in its words, and every cause', () => {
  const section =
    readFileSync(readme, 'utf8')
      .split('\n## ')
      .find(part => part.startsWith('What `explain` answers\n')) ?? ''
  const rows = section
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .map(line => line.split(' | ').map(cell => cell.replaceAll(/^\| |`/g, '')))
  expect(rows.filter(cells => cells.length === 3).map(([state, words]) => [state, words])).toEqual(
    Object.entries(stateWords),
  )
  expect(rows.filter(cells => cells.length === 2).map(([cause]) => cause)).toEqual(Object.keys(causes))
})
