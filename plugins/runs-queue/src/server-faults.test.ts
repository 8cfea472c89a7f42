import { promptCommand, systemClock, type Diagnostic } from '@skills/core'
import { WorkerRuns } from '@skills/runs/internal'
import { fakeHost } from '@skills/testing'
import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { BullmqQueue } from './bullmq-queue.js'
import { openQueuedRuns, type QueuedRunsOptions } from './queued-runs.js'
import { PostgresServer } from './postgres-server.js'
import { RedisServer } from './redis-server.js'
import { proxyTo } from '../test/proxy.js'
import { realPostgres } from '../test/real-postgres.mjs'
import { realRedis } from '../test/real-redis.mjs'
import { key, specOf, workersOf } from '../test/workers.js'

const postgres = await realPostgres()
const redis = await realRedis()
afterAll(() => postgres.dispose())
afterAll(() => redis.dispose())
const host = fakeHost({ clock: systemClock })

function open(given: QueuedRunsOptions): WorkerRuns {
  const runs = openQueuedRuns(host, { key, ...given })
  onTestFinished(() => runs.close())
  if (!(runs instanceof WorkerRuns)) throw new Error('It has no queue.')
  return runs
}

/** Longest wait on a busy machine. */
const patience = { timeout: 20_000 }

let names = 0
const nameOf = (): string => `faults_${process.pid}_${(names += 1)}`

describe.each([
  ['PostgreSQL', postgres.missing, () => postgres.url],
  ['Redis', redis.missing, () => redis.url],
])('runs on %s', (title, missing, urlOf) => {
  const isRedis = title === 'Redis'

  describe.skipIf(missing !== undefined)(`of a server${missing ?? ''}`, () => {
    test('are found without a job, before those that have one', async () => {
      const [name, url] = [nameOf(), urlOf()]
      const before = open({ url, name })
      await before.submit({ ...specOf('with'), job: { delayMs: 3_600_000 } })
      // What was added is recorded when the queue is closed, at the latest.
      await before.close()
      // A queue of an earlier version adds the job of a new run afterwards.
      const submit = vi.spyOn(BullmqQueue.prototype, 'submit', 'get').mockReturnValue(undefined)
      const add = vi.spyOn(BullmqQueue.prototype, 'add').mockRejectedValue(new Error('The connection was cut.'))
      await open({ url, name }).submit(specOf('without'))
      for (const spy of [submit, add]) spy.mockRestore()
      const options = { name, clock: systemClock, patienceMs: 1_000, lookMs: 60_000, onDiagnostic: () => {} }
      const server = isRedis
        ? new RedisServer(url, {}, options)
        : new PostgresServer({ connectionString: url }, options)
      onTestFinished(() => server.close())
      await server.open()
      await vi.waitFor(async () => expect(await server.left(0, 10, false)).toHaveLength(2), patience)
      await vi.waitFor(async () => expect(await server.left(0, 10, true)).toEqual(['without']), patience)
    })

    test('keep the time of the server after the clock of a host is set', async () => {
      let ahead = 0
      const clock = { ...systemClock, now: () => systemClock.now() + ahead }
      const options = { name: nameOf(), clock, patienceMs: 1_000, lookMs: 20, onDiagnostic: () => {} }
      const server = isRedis
        ? new RedisServer(urlOf(), {}, options)
        : new PostgresServer({ connectionString: urlOf() }, options)
      onTestFinished(() => server.close())
      await server.open()
      onTestFinished(server.watch('one', () => {}))
      ahead = 7_200_000
      await vi.waitFor(() => expect(Math.abs(server.now() - systemClock.now())).toBeLessThan(3_600_000), patience)
    })

    test('are not open to work after their end, whatever was written with it', async () => {
      const name = nameOf()
      const options = { name, clock: systemClock, patienceMs: 1_000, lookMs: 60_000, onDiagnostic: () => {} }
      const server = isRedis
        ? new RedisServer(urlOf(), {}, options)
        : new PostgresServer({ connectionString: urlOf() }, options)
      onTestFinished(() => server.close())
      await server.open()
      const at = { at: 1, epoch: 1 }
      await server.append('one', 0, ['1'], [{ at: 1, type: 'queued', version: 1, spec: specOf('one') }])
      expect(await server.left(0, 10, true)).toEqual(['one'])
      await server.append(
        'one',
        1,
        ['2', '3'],
        [
          { ...at, type: 'ended', state: 'cancelled' },
          { at: 1, type: 'cancelling' },
        ],
      )
      expect([await server.left(0, 10, true), await server.left(0, 10, false)]).toEqual([[], []])
    })

    test('are cancelled after their deadline, also without a process that takes or waits for them', async () => {
      const runs = open({ url: urlOf(), name: nameOf() })
      await runs.submit({ ...specOf('later'), job: { deadlineMs: 3_600_000 } })
      const held = await runs.take('later')
      const question = { id: 'q', kind: 'permission', tool: 'Bash', content: 'x', message: 'May it?' } as const
      await expect(held.ask(question)).rejects.toMatchObject({ name: 'AbortError' })
      await runs.submit({ ...specOf('soon'), job: { deadlineMs: 1 } })
      const errors: Error[] = []
      await vi.waitFor(async () => {
        await runs.expireLate(error => void errors.push(error))
        expect((await runs.get('soon')).state).toBe('cancelled')
      }, patience)
      expect([(await runs.get('later')).state, errors]).toEqual(['waiting', []])
    })

    test('are waited for although the connections died without a word', async () => {
      const [name, url] = [nameOf(), new URL(urlOf())]
      const proxy = await proxyTo(Number(url.port))
      url.port = String(proxy.port)
      const limits = isRedis
        ? { redis: { port: proxy.port, host: '127.0.0.1', socketTimeout: 3_000 } }
        : { postgres: { connectionString: url.href, query_timeout: 3_000 } }
      const direct = open({ url: urlOf(), name })
      // The tables are made before a limit applies.
      await direct.find()
      const waiting = open({ ...limits, name, lookMs: 100 })
      await waiting.submit(specOf('one'))
      const settled = waiting.settled('one')
      const held = await direct.take('one')
      proxy.stall()
      await held.end({ state: 'done', result: 'Done.' })
      expect(await settled).toMatchObject({ state: 'done', result: 'Done.' })
    })

    test.each(isRedis ? ['setnx', 'time', 'get'] : ['SELECT', 'begin', 'create table', 'fsync'])(
      'are opened although the connection is cut at %j, which ends no process',
      async text => {
        const [name, url] = [nameOf(), new URL(urlOf())]
        const proxy = await proxyTo(Number(url.port))
        url.port = String(proxy.port)
        proxy.cutAt(text)
        const runs = open({ url: url.href, name })
        await runs.submit(specOf('one'))
        expect(await open({ url: urlOf(), name }).find()).toMatchObject([{ id: 'one', state: 'queued' }])
      },
    )

    test('that are gone from the server are E_RUN_UNKNOWN for who waits', async () => {
      const name = nameOf()
      const [waiting, other] = [open({ url: urlOf(), name, lookMs: 50 }), open({ url: urlOf(), name })]
      await waiting.submit(specOf('one'))
      const settled = waiting.settled('one')
      settled.catch(() => {})
      expect(await (await other.opened()).logs.remove('one', 1)).toBe(true)
      await expect(settled).rejects.toMatchObject({ code: 'E_RUN_UNKNOWN' })
    })
  })
})

describe.skipIf(redis.missing !== undefined)(`Redis${redis.missing ?? ''}`, () => {
  test('tells of changes again after the connection was lost twice, also while it subscribed', async () => {
    const [name, url] = [nameOf(), new URL(redis.url)]
    const proxy = await proxyTo(Number(url.port))
    url.port = String(proxy.port)
    const direct = open({ url: redis.url, name })
    await direct.submit(specOf('one'))
    const waiting = open({ url: url.href, name, lookMs: 50 })
    await waiting.opened()
    const changed = vi.fn<() => void>()
    onTestFinished(waiting.watch('one', changed))
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), patience)
    proxy.cutAt('ping', 'subscribe')
    await vi.waitFor(() => expect(proxy.left).toBe(0), patience)
    // Subscribing a third time tells that everything may have changed.
    const before = changed.mock.calls.length
    await vi.waitFor(() => expect(changed.mock.calls.length).toBeGreaterThan(before), patience)
    const settled = waiting.settled('one')
    await direct.cancel('one')
    expect(await settled).toMatchObject({ state: 'cancelled' })
  })

  test('that may lose what it confirmed is reported, and one that is set up for it is not', async () => {
    const forgetful = await realRedis(['--appendonly', 'no', '--maxmemory-policy', 'allkeys-lru'])
    onTestFinished(() => forgetful.dispose())
    const told: Diagnostic[] = []
    const onDiagnostic = (diagnostic: Diagnostic): void => void told.push(diagnostic)
    await open({ url: redis.url, name: nameOf(), onDiagnostic }).find()
    expect(told).toEqual([])
    await open({ url: forgetful.url, onDiagnostic }).find()
    expect(told.map(({ code }) => code)).toEqual(['queue-not-durable', 'queue-not-durable'])
    expect(told.map(({ hint }) => hint)).toEqual([
      'Set "appendonly yes" in redis.conf.',
      'Set "maxmemory-policy noeviction" in redis.conf.',
    ])
  })

  test('that tells a user nothing about its disk is reported, and one that refuses a user says so', async () => {
    const user = ['--user', 'silent', 'on', '>secret', '~*', '&*', '+@all', '-info']
    const silent = await realRedis(['--appendonly', 'yes', ...user])
    onTestFinished(() => silent.dispose())
    const told: Diagnostic[] = []
    const onDiagnostic = (diagnostic: Diagnostic): void => void told.push(diagnostic)
    await open({ url: silent.url.replace('//', '//silent:secret@'), onDiagnostic }).find()
    expect(told.map(({ code, message }) => [code, message])).toEqual([
      ['queue-not-durable', expect.stringMatching(/^Redis does not tell whether it records runs on its disk/)],
    ])
    await expect(open({ url: silent.url.replace('//', '//silent:wrong@') }).find()).rejects.toMatchObject({
      code: 'E_QUEUE',
      message: expect.stringMatching(/WRONGPASS.*[^.]\.$/),
      hint: expect.stringContaining('The server runs and refuses this.'),
    })
  })
})

describe.skipIf(postgres.missing !== undefined)(`PostgreSQL${postgres.missing ?? ''}`, () => {
  test('counts locks by its own clock, not by that of a worker whose clock is ahead', async () => {
    const name = nameOf()
    const real = Date.now.bind(Date)
    const ahead = vi.spyOn(Date, 'now').mockImplementation(() => real() + 3_600_000)
    onTestFinished(() => ahead.mockRestore())
    const options = { name, clock: systemClock, patienceMs: 1_000, lookMs: 60_000, onDiagnostic: () => {} }
    const server = new PostgresServer({ connectionString: postgres.url }, options)
    onTestFinished(() => server.close())
    await server.open()
    expect(Math.abs(server.now() - real())).toBeLessThan(60_000)
    const worker = await server.worker('runs', async () => {}, { stalledInterval: 20 })
    onTestFinished(() => worker.close())
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    onTestFinished(() => client.end())
    const text = `select value from ${name}.meta where queue = 'runs' and field = 'stalled-check'`
    const looked = await vi.waitFor(async () => {
      const { rows } = await client.query<{ value: string }>(text)
      if (rows[0] === undefined) throw new Error('It has not looked for lost jobs yet.')
      return Number(rows[0].value)
    }, patience)
    expect(Math.abs(looked - real())).toBeLessThan(60_000)
  })

  test('has at most three connections of each worker and submitter', async () => {
    const own = await realPostgres()
    onTestFinished(() => own.dispose())
    const { runs, submit, start } = workersOf(own.url)
    const ids = Array.from({ length: 16 }, (_none, at) => `run-${at}`)
    let release = (): void => {}
    const released = new Promise<void>(resolve => (release = resolve))
    let begun = 0
    const does = async (): Promise<string> => {
      begun += 1
      await released
      return 'Done.'
    }
    const work = promptCommand({ name: 'work', source: 'user', context: 'fork', load: () => ({ template: 'x' }) })
    for (let worker = 0; worker < 2; worker++) await start({ commands: [work], concurrency: 8, does })
    const ended = Promise.all(ids.map(async id => runs.settled((await submit(id)).id)))
    await vi.waitFor(() => expect(begun).toBe(ids.length), patience)
    const client = new pg.Client({ connectionString: own.url })
    onTestFinished(() => client.end())
    await client.connect()
    const count = async (): Promise<number> => {
      const text = `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`
      return (await client.query(text)).rowCount ?? 0
    }
    const before = await count()
    release()
    expect(new Set((await ended).map(({ state }) => state))).toEqual(new Set(['done']))
    for (const connections of [before, await count()]) {
      expect(connections).toBeGreaterThan(3)
      expect(connections).toBeLessThanOrEqual(9)
    }
  })

  test('without a free connection is waited for', async () => {
    const full = await realPostgres(['-c', 'max_connections=8', '-c', 'max_wal_senders=0'])
    onTestFinished(() => full.dispose())
    const clients: pg.Client[] = []
    for (let isFull = false; !isFull;) {
      const client = new pg.Client({ connectionString: full.url })
      client.on('error', () => {})
      await client.connect().then(
        () => clients.push(client),
        () => (isFull = true),
      )
    }
    expect(clients.length).toBeGreaterThan(0)
    const connect = vi.spyOn(pg.Pool.prototype, 'connect')
    onTestFinished(() => connect.mockRestore())
    const submitted = open({ url: full.url }).submit(specOf('one'))
    await vi.waitFor(() => expect(connect.mock.calls.length).toBeGreaterThan(1), patience)
    for (const client of clients) await client.end()
    expect(await submitted).toMatchObject({ state: 'queued' })
  })
})
