import { systemClock } from '@skills/core'
import { fakeHost } from '@skills/testing'
import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { openQueuedRuns } from './queued-runs.js'
import { freePort, realPostgres } from '../test/real-postgres.mjs'
import type { RunSpec } from '@skills/runs'
import type { OpenedRuns } from '@skills/runs/internal'

const server = await realPostgres()
const { url, missing } = server
const host = fakeHost({ clock: systemClock })
afterAll(() => server.dispose())

const spec = (id: string): RunSpec => ({
  id,
  skill: { name: 'deploy', source: 'project', digest: 'a1' },
  args: '',
  caller: 'user',
  agent: 'general-purpose',
  tools: { without: [] },
  limits: { maxSteps: 5, ms: 1000 },
  session: 's',
  depth: 0,
  isBackground: true,
})

function open(name: string, given: object = { url }): OpenedRuns {
  const runs = openQueuedRuns(host, { name, key: 'k'.repeat(32), ...given })
  onTestFinished(() => runs.close())
  return runs
}

async function sql(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

test.each(['postgres', 'redis'])('a server of %s that cannot be reached is E_QUEUE, at once', async kind => {
  const runs = open('none', { url: `${kind}://127.0.0.1:${await freePort()}/none` })
  for (const ask of [() => runs.find(), () => runs.submit(spec('one')), () => runs.get('one')])
    await expect(ask()).rejects.toMatchObject({ code: 'E_QUEUE', message: expect.stringMatching(/ECONNREFUSED/) })
})

test.each([
  [{}, 'exactly one of url, postgres and redis'],
  [{ url: 'postgres://a', redis: {} }, '2 were given'],
  [{ url: 'mysql://a' }, 'has to begin with'],
  [{ url: 'postgres://a', key: 'short' }, 'fewer than 32 characters'],
  [{ url: 'postgres://a', name: 'Big; drop' }, 'small letters'],
])('options that no queue can have are E_INVALID_OPTION: %j', (options, text) => {
  expect(() => openQueuedRuns(host, options)).toThrow(
    expect.objectContaining({ code: 'E_INVALID_OPTION', message: expect.stringContaining(text) }),
  )
})

describe.skipIf(missing !== undefined)(`a server that has${missing ?? ''}`, () => {
  test('no such database or user is E_QUEUE, and the hint says that the server runs', async () => {
    for (const wrong of [url.replace(/[^/]*$/, 'nothing'), url.replace(/\/\/[^@]*@/, '//nobody:wrong@')])
      await expect(open('none', { url: wrong }).find()).rejects.toMatchObject({
        code: 'E_QUEUE',
        hint: expect.stringContaining('The server runs and refuses this.'),
      })
  })

  test('journals of a later version, and a queue of a later one, are E_QUEUE_VERSION and stay as they are', async () => {
    await open('newer').submit(spec('one'))
    await sql('update newer.run_version set version = 2')
    await expect(open('newer').find()).rejects.toMatchObject({ code: 'E_QUEUE_VERSION' })
    await sql('update newer.run_version set version = 1; update newer.migration set min_client_version = 99')
    await expect(open('newer').find()).rejects.toMatchObject({ code: 'E_QUEUE_VERSION' })
    await sql(`update newer.migration set min_client_version = 6`)
    expect(await open('newer').find()).toMatchObject([{ id: 'one', state: 'queued' }])
  })

  test('requests that wait for a connection when the runs are closed are settled, and later ones are E_QUEUE', async () => {
    const runs = open('closing')
    await runs.submit(spec('one'))
    // More than there are connections.
    const asked = Array.from({ length: 40 }, () => runs.get('one'))
    await runs.close()
    expect((await Promise.allSettled(asked)).map(({ status }) => status)).toEqual(asked.map(() => 'fulfilled'))
    await expect(runs.get('one')).rejects.toMatchObject({ code: 'E_QUEUE' })
  })

  test('a journal that is cut in its middle or at its end is E_RUN_JOURNAL, and costs no other run', async () => {
    const runs = open('cut')
    for (const id of ['middle', 'end', 'sound']) {
      await runs.submit(spec(id))
      const held = await runs.take(id)
      await held.release('closed')
    }
    await sql(`delete from cut.run_entry where run = 'middle' and n = 1 or run = 'end' and n = 2`)
    for (const id of ['middle', 'end']) {
      await expect(runs.get(id)).rejects.toMatchObject({ code: 'E_RUN_JOURNAL' })
      await expect(runs.take(id, { force: true })).rejects.toMatchObject({ code: 'E_RUN_JOURNAL' })
    }
    const found = await runs.find()
    expect(found.filter(run => 'problem' in run).length).toBe(2)
    expect(found.filter(run => 'state' in run)).toMatchObject([{ id: 'sound', state: 'queued' }])
  })
})
