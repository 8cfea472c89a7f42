import { systemClock } from '@skills/core'
import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { BullmqQueue } from './bullmq-queue.js'
import { wakingMs, type BullmqServer } from './bullmq-server.js'
import { PostgresServer } from './postgres-server.js'
import { RedisServer } from './redis-server.js'
import { realPostgres } from '../test/real-postgres.mjs'
import { realRedis } from '../test/real-redis.mjs'

const postgres = await realPostgres()
const redis = await realRedis()
afterAll(() => postgres.dispose())
afterAll(() => redis.dispose())
const line = 'tenant acme'
let names = 0

describe.each([
  ['PostgreSQL', postgres.missing],
  ['Redis', redis.missing],
])('a line of jobs on %s', (title, missing) => {
  async function opened(): Promise<{ readonly server: BullmqServer; readonly name: string }> {
    const name = `lines_${process.pid}_${(names += 1)}`
    const options = { name, clock: systemClock, patienceMs: 1_000, lookMs: 60_000, onDiagnostic: () => {} }
    const server =
      title === 'Redis'
        ? new RedisServer(redis.url, {}, options)
        : new PostgresServer({ connectionString: postgres.url }, options)
    await server.open()
    onTestFinished(() => server.close())
    for (const [job, order] of [
      ['second', 2],
      ['first', 1],
    ] as const)
      await server.wait(line, job, order)
    return { server, name }
  }

  /** Lets as much time pass for the claims as a process may need to wake a job. */
  async function passTime(name: string): Promise<void> {
    if (title === 'Redis') {
      const client = new Redis(redis.url)
      await client.zincrby(`{${name}}:waiting:${line}`, -wakingMs, 'first')
      await client.quit()
      return
    }
    const client = new pg.Client(postgres.url)
    await client.connect()
    await client.query(`update "${name}".run_waiting set woken_at = woken_at - $1 * interval '1 millisecond'`, [
      wakingMs,
    ])
    await client.end()
  }

  const jobOf = async (server: BullmqServer): Promise<string | undefined> => (await server.claim(line))?.job

  test.skipIf(missing)('gives each place to one process, in order', async () => {
    const { server } = await opened()
    const claimed = await Promise.all([jobOf(server), jobOf(server), jobOf(server)])
    expect(claimed.toSorted()).toEqual(['first', 'second', undefined])
  })

  test.skipIf(missing)('keeps a place for another process if the one that wakes the job is killed', async () => {
    const { server, name } = await opened()
    expect(await jobOf(server)).toBe('first')
    expect(await server.waited()).toEqual([line])
    await passTime(name)
    expect([await jobOf(server), await jobOf(server)].toSorted()).toEqual(['first', 'second'])
  })

  test.skipIf(missing)('loses a job that was woken', async () => {
    const { server, name } = await opened()
    for (const job of ['first', 'second']) {
      const place = await server.claim(line)
      expect(place?.job).toBe(job)
      if (place !== undefined) await server.leave(line, place)
    }
    if (title !== 'Redis') await passTime(name)
    expect(await server.claim(line)).toBeUndefined()
    expect(await server.waited()).toEqual([])
  })

  test.skipIf(missing).each([
    ['put into the line again', (server: BullmqServer) => server.wait(line, 'first', 1)],
    ['put behind others again', async (server: BullmqServer) => void (await server.waitBehind([line], 'first', 1))],
  ])('keeps a job that was %s after it was woken', async (_how, back) => {
    const { server } = await opened()
    const place = await server.claim(line)
    expect(place?.job).toBe('first')
    await back(server)
    if (place !== undefined) await server.leave(line, place)
    expect(await jobOf(server)).toBe('first')
  })
})

// No real server stops between the two questions, so its answers are given here.
test('a job that is put back while it is woken is woken', async () => {
  const asked: string[] = []
  const job = {
    progress: 1,
    attemptsStarted: 2,
    timestamp: 1,
    priority: 0,
    async promote() {
      asked.push('promote')
      // It is active at first.
      if (asked.length === 1) throw Object.assign(new Error('It is not delayed.'), { code: -3 })
    },
    async isActive() {
      asked.push('isActive')
      return false
    },
  }
  const places = [{ job: 'first', claim: '1' }]
  const server = {
    open: async () => {},
    queue: async () => ({ on: () => {}, getJob: async () => job }),
    claim: async () => places[0],
    leave: async () => void places.pop(),
  }
  const queue = new BullmqQueue(server as unknown as BullmqServer, systemClock)
  await queue.open()
  expect(await queue.wake(line)).toBe(true)
  expect(asked).toEqual(['promote', 'isActive', 'promote'])
  expect(places).toEqual([])
})
