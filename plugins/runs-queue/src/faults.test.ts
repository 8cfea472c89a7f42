import { promptCommand, SkillsError, systemClock } from '@skills/core'
import { fakeHost } from '@skills/testing'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
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

test('a run that its worker has lost begins again there only after the earlier work has ended', async () => {
  const server = new MemoryServer()
  const yard = workersOf(server)
  let release = (): void => {}
  const released = new Promise<void>(resolve => (release = resolve))
  const begun: number[] = []
  await yard.start({
    commands: [work],
    async does({ held }) {
      begun.push(held.record.epoch)
      if (begun.length > 1) return 'Done.'
      await held.release('Its journal could not be written.')
      await released
      return 'Too late.'
    },
  })
  await yard.submit('one')
  await vi.waitFor(async () => expect((await yard.runs.get('one')).state).toBe('queued'))
  await vi.waitFor(() => expect(begun).toEqual([1]))
  const job = server.jobs.get('one.0')
  if (job === undefined) throw new Error('There is no job.')
  // Its lock has expired.
  job.delivered = undefined
  server.tell()
  await vi.waitFor(() => expect([job.deliveries, job.delivered]).toEqual([2, undefined]))
  release()
  expect(await yard.runs.settled('one')).toMatchObject({ state: 'done', epoch: 2, result: 'Done.' })
  expect(begun).toEqual([1, 2])
})

test('a run that cannot be read is reported, and the other runs that lost their jobs are queued', async () => {
  const server = new MemoryServer()
  const yard = workersOf(server)
  for (const id of ['damaged', 'one', 'two']) await yard.submit(id)
  server.damage('damaged')
  server.jobs.clear()
  await yard.start({ commands: [work], lockMs: 50 })
  for (const id of ['one', 'two']) expect(await yard.runs.settled(id)).toMatchObject({ state: 'done' })
  expect(yard.errors[0]).toMatch(/journal of the run damaged/)
})

describe('the deadline of a run', () => {
  const hour = 3_600_000
  const late = { ...specOf('one'), job: { deadlineMs: hour } }
  const hostOf = (aheadMs: number) => fakeHost({ clock: { ...systemClock, now: () => systemClock.now() + aheadMs } })

  test('passes by the clock that all processes share', async () => {
    const server = new MemoryServer()
    await openMemoryRuns(server, hostOf(-2 * hour), 'q', key).submit(late)
    const held = await openMemoryRuns(server, hostOf(0), 'q', key).take('one')
    expect(held.record.queuedAt).toBeGreaterThan(systemClock.now() - hour)
    await held.end({ state: 'done' })
  })

  test('is checked before a tool is called', async () => {
    const server = new MemoryServer()
    const runs = openMemoryRuns(server, hostOf(0), 'q', key)
    await runs.submit(late)
    const held = await runs.take('one')
    const call = vi.fn<() => Promise<string>>()
    const step = { kind: 'tool', key: 'tool 1', input: 1, idempotent: false } as const
    const called = held.journal.step(step, async begin => {
      server.ahead = hour
      await begin()
      return call()
    })
    await expect(called).rejects.toMatchObject({ name: 'AbortError' })
    expect([call.mock.calls.length, held.signal.aborted]).toEqual([0, true])
    await held.end({ state: 'cancelled' })
    expect(await runs.journal('one')).toContainEqual(
      expect.objectContaining({ type: 'cancelling', reason: 'The deadline of the run has passed.' }),
    )
  })

  test('cancels a run that waits for an answer or for a worker', async () => {
    const server = new MemoryServer()
    const runs = openMemoryRuns(server, hostOf(0), 'q', key)
    await runs.submit(late)
    const held = await runs.take('one')
    const question = { id: 'q', kind: 'permission', tool: 'Bash', content: 'x', message: 'May it?' } as const
    await expect(held.ask(question)).rejects.toMatchObject({ name: 'AbortError' })
    await runs.submit({ ...late, id: 'two' })
    server.ahead = hour
    await expect(runs.answer('one', 'q', 'allow')).rejects.toMatchObject({ code: 'E_RUN_STATE' })
    await expect(runs.take('two')).rejects.toMatchObject({ code: 'E_RUN_STATE' })
    expect([(await runs.get('one')).state, (await runs.get('two')).state]).toEqual(['cancelled', 'cancelled'])
  })

  test('ends the wait of who waits for it, although no worker is there', async () => {
    const runs = openMemoryRuns(new MemoryServer(), hostOf(0), 'q', key)
    await runs.submit({ ...late, job: { deadlineMs: 20 } })
    expect(await runs.settled('one')).toMatchObject({ state: 'cancelled' })
  })
})
