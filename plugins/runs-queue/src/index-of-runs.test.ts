import { systemClock } from '@skills/core'
import { LoggedRuns, openRunKeys, type RunEntry, type RunLogs } from '@skills/runs'
import { fakeHost } from '@skills/testing'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openQueuedRuns } from './queued-runs.js'
import { PostgresServer } from './postgres-server.js'
import { RedisServer } from './redis-server.js'
import { previousOnPostgres, previousOnRedis, type PreviousWorker } from '../test/previous-version.js'
import { realPostgres } from '../test/real-postgres.mjs'
import { realRedis } from '../test/real-redis.mjs'
import { key, specOf } from '../test/workers.js'
import type { OpenedRuns, RunFilter } from '@skills/runs/internal'

const postgres = await realPostgres()
const redis = await realRedis()
afterAll(() => postgres.dispose())
afterAll(() => redis.dispose())
const host = fakeHost({ clock: systemClock })
let names = 0

/** Runs as the previous version writes them. */
function previousRuns(
  worker: PreviousWorker,
  name: string,
  logs: Pick<RunLogs, 'read' | 'ids' | 'remove'>,
): LoggedRuns {
  const isClosing = (entries: readonly RunEntry[]): boolean =>
    ['ended', 'parked', 'delivered'].includes(entries.at(-1)?.type ?? '')
  return new LoggedRuns({
    logs: {
      read: (...given) => logs.read(...given),
      ids: () => logs.ids(),
      remove: (...given) => logs.remove(...given),
      async append(id, count, lines, entries) {
        await worker.append(id, count, lines, !isClosing(entries))
        return true
      },
    },
    keys: openRunKeys(host, { keys: [key] }),
    name,
    place: 'workers',
    clock: systemClock,
    holder: () => ({ name: 'previous' }),
    isGone: () => true,
  })
}

describe.each([
  ['PostgreSQL', postgres.missing, () => postgres.url],
  ['Redis', redis.missing, () => redis.url],
])('the index of runs on %s', (title, missing, urlOf) => {
  const isRedis = title === 'Redis'
  const server = isRedis ? RedisServer : PostgresServer

  async function both(): Promise<{ readonly runs: OpenedRuns; readonly previous: LoggedRuns }> {
    const name = `index_${process.pid}_${(names += 1)}`
    const worker = (isRedis ? previousOnRedis : previousOnPostgres)(urlOf(), name)
    await worker.open()
    onTestFinished(() => worker.close())
    const runs = openQueuedRuns(host, { url: urlOf(), name, key })
    onTestFinished(() => runs.close())
    const options = { name, clock: systemClock, patienceMs: 1_000, lookMs: 60_000, onDiagnostic: () => {} }
    const logs = isRedis
      ? new RedisServer(urlOf(), {}, options)
      : new PostgresServer({ connectionString: urlOf() }, options)
    onTestFinished(() => logs.close())
    let opening: Promise<void> | undefined
    const opened = async (): Promise<RunLogs> => {
      await (opening ??= logs.open())
      return logs
    }
    const previous = previousRuns(worker, name, {
      // What is only appended needs no tables of this version.
      read: async (...given) => (await opened()).read(...given),
      ids: async () => (await opened()).ids(),
      remove: async (...given) => (await opened()).remove(...given),
    })
    return { runs, previous }
  }

  const idsOf = async (runs: OpenedRuns, filter?: RunFilter): Promise<readonly string[]> =>
    (await runs.find(filter)).map(({ id }) => id).toSorted()

  describe.skipIf(missing !== undefined)(`of a server${missing ?? ''}`, () => {
    test('finds the runs that the previous version recorded, and reads each of their journals once', async () => {
      const { runs, previous } = await both()
      await (await previous.begin(specOf('done')))?.end({ state: 'done' })
      await (await previous.begin({ ...specOf('other'), session: 'other' }))?.end({ state: 'failed' })
      await previous.submit(specOf('open'))
      expect(await idsOf(runs)).toEqual(['done', 'open', 'other'])
      const read = vi.spyOn(server.prototype, 'read')
      onTestFinished(() => read.mockRestore())
      expect(await idsOf(runs, { session: 'other' })).toEqual(['other'])
      expect(await idsOf(runs, { states: ['queued'] })).toEqual(['open'])
      expect(await idsOf(runs, { states: ['done'], endedBefore: systemClock.now() + 1000 })).toEqual(['done'])
      expect(read.mock.calls.map(([id]) => id)).toEqual(['other', 'open', 'done'])
      expect(await runs.prune({ endedBefore: systemClock.now() + 1000 })).toMatchObject({ kept: 0 })
      expect(await idsOf(runs)).toEqual(['open'])
    })

    test('finds what a worker of the previous version goes on with, in its present state', async () => {
      const { runs, previous } = await both()
      for (const id of ['taken', 'retried', 'ended']) await runs.submit(specOf(id))
      for (const id of ['retried', 'ended']) await (await runs.take(id)).end({ state: 'done' })
      await runs.submit(specOf('failed'))
      await (await runs.take('failed')).end({ state: 'failed' })
      expect(await idsOf(runs, { states: ['queued', 'running'] })).toEqual(['taken'])
      const held = await previous.take('taken')
      await held.journal.step({ kind: 'tool', key: 'one', input: 1, idempotent: false }, async () => 1)
      await previous.retry('failed')
      await previous.submit(specOf('new'))
      await (await previous.begin(specOf('over')))?.end({ state: 'cancelled' })
      expect(await idsOf(runs, { states: ['queued', 'running'] })).toEqual(['failed', 'new', 'taken'])
      expect(await idsOf(runs, { states: ['running'] })).toEqual(['taken'])
      expect(await idsOf(runs, { states: ['cancelled'] })).toEqual(['over'])
      await held.end({ state: 'failed' })
      expect(await idsOf(runs, { states: ['failed'] })).toEqual(['taken'])
      expect(await idsOf(runs, { states: ['running'] })).toEqual([])
      const { removed, kept } = await runs.prune({ endedBefore: systemClock.now() + 1000 })
      expect([removed.toSorted(), kept]).toEqual([['ended', 'over', 'retried', 'taken'], 0])
      expect(await idsOf(runs)).toEqual(['failed', 'new'])
    })

    test('chooses only: a run is shown as its journal is, and one that cannot be read stays', async () => {
      const { runs, previous } = await both()
      await previous.submit(specOf('unreadable'))
      await runs.submit(specOf('sound'))
      await (await runs.take('sound')).end({ state: 'done' })
      const read = server.prototype.read
      const damaged = vi.spyOn(server.prototype, 'read').mockImplementation(async function (this: RunLogs, id, from) {
        return id === 'unreadable' ? ['{}'] : read.call(this as never, id, from)
      })
      onTestFinished(() => damaged.mockRestore())
      expect(await runs.find({ limit: 1 })).toMatchObject([{ id: 'unreadable', problem: { code: 'E_RUN_JOURNAL' } }])
      expect(await runs.prune({ endedBefore: systemClock.now() + 1000 })).toEqual({ removed: ['sound'], kept: 0 })
      expect(await idsOf(runs)).toEqual(['unreadable'])
      expect(await idsOf(runs, { states: ['done'] })).toEqual([])
    })
  })
})
