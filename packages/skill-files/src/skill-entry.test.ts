import { expect, it } from 'vitest'
import { loaded, onlyCommand } from '../test/load.js'
import { FileSkill } from './file-skill.js'
import { settleEntries } from './skill-entry.js'

it.each([[1000, 'goes on at once', false], [1001, 'gives the rest of the process a turn', true]])('after collecting %i entries it %s', async (count, _, isGiven) => {
  const skill = onlyCommand(await loaded({ 'a/SKILL.md': '---\ndescription: A.\n---\n' }))
  if (!(skill instanceof FileSkill)) throw new Error('The command is none of a file.')
  let hadTurn = false
  setImmediate(() => {
    hadTurn = true
  })
  await settleEntries(Array.from({ length: count }, () => skill), new AbortController().signal)
  expect(hadTurn).toBe(isGiven)
})
