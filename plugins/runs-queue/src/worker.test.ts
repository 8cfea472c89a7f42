import { existsSync } from 'node:fs'
import { promptCommand, SkillsError } from '@skills/core'
import { tempTree } from '@skills/testing'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { realPostgres } from '../test/real-postgres.mjs'
import { MemoryServer } from '../test/memory-queue.js'
import { realRedis } from '../test/real-redis.mjs'
import { workersOf, type Setting, type Workers } from '../test/workers.js'
import type { RunState, WorkerEvent } from '@skills/runs/internal'

const server = await realPostgres()
const redis = await realRedis()
afterAll(() => server.dispose())
afterAll(() => redis.dispose())

const work = promptCommand({ name: 'work', source: 'user', context: 'fork', load: () => ({ template: 'Do it.' }) })

interface Gate {
  readonly open: () => void
  readonly opened: Promise<void>
}

function gate(): Gate {
  let open = (): void => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { open, opened }
}

const limits = { tenants: { acme: 1, '*': 2 }, models: { large: 1 } }

/** Most runs at the same time, by the limit that applies to them. */
class Most {
  readonly #now = new Map<string, number>()
  readonly most = new Map<string, number>()

  async during(key: string, until: Promise<void>): Promise<void> {
    const now = (this.#now.get(key) ?? 0) + 1
    this.#now.set(key, now)
    this.most.set(key, Math.max(now, this.most.get(key) ?? 0))
    await until
    this.#now.set(key, now - 1)
  }
}

describe.each([
  ['memory', () => new MemoryServer(), ''],
  ['PostgreSQL', () => server.url, server.missing ?? ''],
  ['Redis', () => redis.url, redis.missing ?? ''],
])('workers on %s', (_title, open, missing) => {
  describe.skipIf(missing !== '')(`of a queue${missing}`, { timeout: 60_000 }, () => {
    const workers = (): Workers => workersOf(open())
    const all = ({ runs }: Workers, ids: readonly string[]): Promise<readonly RunState[]> =>
      Promise.all(ids.map(async id => (await runs.settled(id)).state))

    test('begin those with a lower number first', async () => {
      const yard = workers()
      const order: string[] = []
      for (const [id, priority] of [
        ['late', 9],
        ['soon', 2],
        ['next', 5],
        ['first', 1],
      ] as const)
        await yard.submit(id, { priority })
      await yard.start({ commands: [work], concurrency: 1, does: ({ held }) => (order.push(held.record.id), 'Done.') })
      expect(await all(yard, ['late', 'soon', 'next', 'first'])).toEqual(['done', 'done', 'done', 'done'])
      expect(order).toEqual(['first', 'soon', 'next', 'late'])
    })

    test('work on no more runs of a tenant or a model at a time than are allowed over all of them', async () => {
      const yard = workers()
      const most = new Most()
      const others = gate()
      const does: Setting['does'] = async ({ held: { record } }) => {
        const key = record.job?.tenant ?? record.model ?? ''
        // Limited runs end only after an unlimited one was executed beside them.
        if (key === 'free') others.open()
        await most.during(key, others.opened)
        return 'Done.'
      }
      for (const at of [0, 1])
        await yard.start({ commands: [work], concurrency: 3, does, ...limits, lockMs: 5_000 - at })
      for (const id of ['a', 'b', 'c']) await yard.submit(id, { tenant: 'acme' })
      for (const id of ['d', 'e']) await yard.submit(id, undefined, { model: 'large' })
      for (const id of ['f', 'g']) await yard.submit(id, { tenant: 'free' })
      const ids = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
      expect(new Set(await all(yard, ids))).toEqual(new Set(['done']))
      expect([most.most.get('acme'), most.most.get('large')]).toEqual([1, 1])
      expect(most.most.get('free')).toBeLessThanOrEqual(2)
    })

    test('begin the next run of a tenant or a model when one ends', async () => {
      const yard = workers()
      const most = new Most()
      const does: Setting['does'] = async ({ held: { record } }) => {
        await most.during(record.job?.tenant ?? record.model ?? '', new Promise(resolve => setImmediate(resolve)))
        return 'Done.'
      }
      for (const at of [0, 1])
        await yard.start({ commands: [work], concurrency: 3, does, lockMs: 5_000 - at, ...limits })
      const ids = Array.from({ length: 10 }, (_none, at) => `run-${at}`)
      for (const id of ids) await yard.submit(id, { tenant: 'acme' })
      for (const id of ids) await yard.submit(`large-${id}`, undefined, { model: 'large' })
      // Without `wake()` a run comes back only after 30 s.
      expect(new Set(await all(yard, [...ids, ...ids.map(id => `large-${id}`)]))).toEqual(new Set(['done']))
      expect([most.most.get('acme'), most.most.get('large')]).toEqual([1, 1])
    })

    test('keep a limit also beside a worker whose clock is ahead', async () => {
      const yard = workers()
      const [begun, over] = [gate(), gate()]
      const order: string[] = []
      const does: Setting['does'] = async ({ held: { record } }) => {
        order.push(record.id)
        if (record.id === 'ahead') begun.open()
        else if (record.id === 'other') over.open()
        await over.opened
        return 'Done.'
      }
      const ahead = vi
        .spyOn(Date, 'now')
        .mockImplementation(() => Math.round(performance.timeOrigin + performance.now() + 60_000))
      onTestFinished(() => ahead.mockRestore())
      await yard.start({ commands: [work], concurrency: 3, does, models: { large: 1 } })
      await yard.submit('ahead', undefined, { model: 'large' })
      await begun.opened
      ahead.mockRestore()
      await yard.submit('behind', { priority: 1 }, { model: 'large' })
      await yard.submit('other', { priority: 2 }, { model: 'small' })
      expect(await all(yard, ['ahead', 'behind', 'other'])).toEqual(['done', 'done', 'done'])
      expect(order).toEqual(['ahead', 'other', 'behind'])
    })

    test('try one again that failed for a reason that may pass, later each time, as often as it says', async () => {
      const yard = workers()
      const passes = new SkillsError('E_TIMEOUT', 'It took too long.')
      const commands = [
        { ...work, load: () => Promise.reject(passes) },
        { ...work, name: 'denied', load: () => Promise.reject(new SkillsError('E_DENIED', 'No.')) },
      ]
      await yard.start({ commands })
      await yard.submit('one', { attempts: 3, backoffMs: 40 })
      await yard.submit(
        'two',
        { attempts: 3, backoffMs: 40 },
        { skill: { name: 'denied', source: 'user', digest: 'a1' } },
      )
      const [one, two] = [await yard.runs.settled('one'), await yard.runs.settled('two')]
      expect([one.state, one.error?.code, one.epoch]).toEqual(['failed', 'E_TIMEOUT', 3])
      expect([two.state, two.error?.code, two.epoch]).toEqual(['failed', 'E_DENIED', 1])
      const times = (await yard.runs.journal('one')).flatMap(({ type, at }) => (type === 'taken' ? at : []))
      const [first = 0, second = 0, third = 0] = times
      // The second attempt is delayed by 40 ms, the third by twice as much. Clocks of server and worker may differ by one.
      expect([second - first >= 39, third - second >= 79]).toEqual([true, true])
    })

    test('end one whose deadline has passed, also before it was begun, and leave the others', async () => {
      const yard = workers()
      await yard.submit('late', { deadlineMs: 1 })
      await yard.submit('soon', { deadlineMs: 3_600_000 })
      await yard.start({
        commands: [work],
        does: async ({ held, invocation }) => {
          if (held.record.id === 'soon') return 'Done.'
          await new Promise(resolve => held.signal.addEventListener('abort', resolve, { once: true }))
          throw Object.assign(new Error(invocation.args), { name: 'AbortError' })
        },
      })
      expect(await all(yard, ['late', 'soon'])).toEqual(['cancelled', 'done'])
      const cancelling = (await yard.runs.journal('late')).find(({ type }) => type === 'cancelling')
      expect(cancelling).toMatchObject({ reason: expect.stringContaining('deadline') as string })
    })

    test('tell a log of each step, and a supervisor of their health', async () => {
      const yard = workers()
      const events: WorkerEvent[] = []
      const tree = tempTree({})
      onTestFinished(() => tree.dispose())
      await yard.submit('one', { tenant: 'acme' })
      await yard.submit('bad', { attempts: 1 })
      const skills = await yard.start({
        commands: [work],
        does: ({ held }) => (held.record.id === 'one' ? 'Done.' : Promise.reject(new Error('It broke.'))),
        concurrency: 1,
        health: { file: `${tree.path}/ready` },
        onEvent: event => void events.push(event),
      })
      expect(await all(yard, ['one', 'bad'])).toEqual(['done', 'failed'])
      expect(existsSync(`${tree.path}/ready`)).toBe(true)
      await skills.close()
      expect(existsSync(`${tree.path}/ready`)).toBe(false)
      const ofRun = { skill: 'work', model: undefined, takenBefore: 0, waitedMs: expect.any(Number) as number }
      const ms = expect.any(Number) as number
      expect(events.filter(event => 'run' in event && event.run === 'one')).toEqual([
        { type: 'run-begun', run: 'one', tenant: 'acme', ...ofRun },
        { type: 'run-left', run: 'one', skill: 'work', state: 'done', ms, error: undefined },
      ])
      expect(events.find(event => event.type === 'run-left' && event.run === 'bad')).toMatchObject({
        state: 'failed',
        error: expect.stringContaining('It broke.') as string,
      })
      // The end of the last run may be heard before its worker has left it.
      expect(events).toContainEqual({ type: 'draining', runs: expect.any(Array) as string[], drainMs: 5_000 })
    })

    test('go on in the trace of who submitted the run', async () => {
      const yard = workers()
      const within: unknown[] = []
      await yard.start({
        commands: [work],
        tracer: {
          trace: (_operation, _name, _facts, make) => make(() => {}),
          within: (carrier, make) => (within.push(carrier), make()),
          carrier: () => undefined,
        },
      })
      const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
      await yard.submit('one', undefined, { trace })
      expect(await all(yard, ['one'])).toEqual(['done'])
      expect(within).toEqual([trace])
    })
  })
})
