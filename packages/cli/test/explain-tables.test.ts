import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Reason } from '@skills/core'
import { stateWords } from '../src/output/state-words.js'

const page = fileURLToPath(new URL('../../../docs/reference/output.md', import.meta.url))

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
  found: true,
}

/** Returns the first cells of the rows below a table's head. */
function rowsBelow(head: string): readonly (readonly string[])[] {
  const [, table = ''] = readFileSync(page, 'utf8').split(`${head}\n`)
  const [rows = ''] = table.split('\n\n')
  return rows
    .split('\n')
    .slice(1)
    .map(line => line.split(' | ').map(cell => cell.replaceAll(/^\| |`/g, '')))
}

test('the tables of what explain answers name every state in its words, and every cause', () => {
  expect(rowsBelow('| state | in words | the skill |').map(([state, words]) => [state, words])).toEqual(
    Object.entries(stateWords),
  )
  expect(rowsBelow('| cause | the model is not told of the skill because |').map(([cause]) => cause)).toEqual(
    Object.keys(causes),
  )
})
