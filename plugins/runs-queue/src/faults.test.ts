import { promptCommand, SkillsError, systemClock } from '@skills/core'
import { fakeHost } from '@skills/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { MemoryQueue, MemoryServer, openMemoryRuns } from '../test/memory-queue.js'
import { key, specOf, workersOf } from '../test/workers.js'
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

test('a run is submitted once its entry is there, even if the queue cannot be reached then; the job is added later', async () => {
  const server = new MemoryServer()
  const yard = workersOf(server)
  const add = vi.spyOn(MemoryQueue.prototype, 'add').mockRejectedValueOnce(new Error('The connection was cut.'))
  onTestFinished(() => add.mockRestore())
  expect(await yard.submit('one')).toMatchObject({ state: 'queued' })
  expect(server.jobs.size).toBe(0)
  await yard.start({ commands: [work], lockMs: 60_000 })
  expect(await yard.runs.settled('one')).toMatchObject({ state: 'done' })
})

test('who waits for a run reads only what is new, and only once the run has ended or was parked', async () => {
  const server = new MemoryServer()
  const host = fakeHost({ clock: systemClock })
  const [here, there] = [openMemoryRuns(server, host, 'q', key), openMemoryRuns(server, host, 'q', key)]
  const read = vi.spyOn(server, 'read')
  await here.submit(specOf('one'))
  const settled = here.settled('one')
  const held = await there.take('one')
  const step = { kind: 'tool', input: 1, idempotent: true } as const
  read.mockClear()
  for (const at of [1, 2, 3]) await held.journal.step({ ...step, key: `tool ${at}` }, async () => 'x'.repeat(20_000))
  expect(read).not.toHaveBeenCalled()
  await held.end({ state: 'done' })
  expect(await settled).toMatchObject({ state: 'done', progress: { calls: 3 } })
  expect(read.mock.calls).toEqual([['one', 1]])
})

test('a run that was removed while somebody waits for it is E_RUN_UNKNOWN', async () => {
  const server = new MemoryServer()
  const runs = openMemoryRuns(server, fakeHost({ clock: systemClock }), 'q', key)
  await runs.submit(specOf('one'))
  const settled = runs.settled('one')
  server.remove('one', 1)
  server.tellWaiting('one')
  await expect(settled).rejects.toMatchObject({ code: 'E_RUN_UNKNOWN' })
})
