import { promptCommand, SkillsError } from '@skills/core'
import { expect, test } from 'vitest'
import { MemoryServer } from '../test/memory-queue.js'
import { workersOf } from '../test/workers.js'
import type { RunEntry } from '@skills/runs'

const work = promptCommand({ name: 'work', source: 'user', context: 'fork', load: () => ({ template: 'Do it.' }) })

/** Returns a server that refuses the first entry of each of these types. */
function serverThatRefuses(...types: readonly RunEntry['type'][]): MemoryServer {
  const server = new MemoryServer()
  const left = new Set(types)
  server.failing = entries => {
    for (const { type } of entries)
      if (left.delete(type)) throw new SkillsError('E_STATE', `The server refuses the entry ${type}.`)
  }
  return server
}

test('an entry that the server refuses does not end the run, which is worked on again', async () => {
  const yard = workersOf(serverThatRefuses('taken', 'ended'))
  await yard.start({ commands: [work] })
  await yard.submit('one', { attempts: 1 })
  expect(await yard.runs.settled('one')).toMatchObject({ state: 'done', epoch: 2, result: 'Done.' })
  expect(yard.errors).toEqual(['The server refuses the entry taken.', 'The server refuses the entry ended.'])
})
