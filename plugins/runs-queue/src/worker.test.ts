import { existsSync } from 'node:fs'
import { promptCommand, SkillsError, systemClock } from '@skills/core'
import { tempTree } from '@skills/testing'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { realPostgres } from '../test/real-postgres.mjs'
import { MemoryServer } from '../test/memory-queue.js'
import { realRedis } from '../test/real-redis.mjs'
import { workersOf, type Setting, type Workers } from '../test/workers.js'
import type { JobQueue, RunState, WorkerEvent, WorkerRuns } from '@skills/runs/internal'

const server = await realPostgres()
const redis = await realRedis()
afterAll(() => server.dispose())
afterAll(() => redis.dispose())

/** Longest wait on a busy machine. */
const patience = { timeout: 20_000 }

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

/** Runs of a worker that end when the test says so. */
class Stage {
  /** Ids in the order in which they began. */
  readonly begun: string[] = []
  /** Most runs of each tenant at the same time. */
  readonly most = new Map<string, number>()
  readonly #running = new Map<string, Gate[]>()

  readonly does: Setting['does'] = async ({ held: { record } }) => {
    this.begun.push(record.id)
    const tenant = record.job?.tenant ?? ''
    const running = this.#running.get(tenant) ?? []
    const own = gate()
    running.push(own)
    this.#running.set(tenant, running)
    this.most.set(tenant, Math.max(running.length, this.most.get(tenant) ?? 0))
    await own.opened
    return 'Done.'
  }

  /** Waits until this many runs of a tenant are running. */
  running(tenant: string, count: number): Promise<void> {
    return vi.waitFor(() => {
      const running = this.#running.get(tenant)?.length ?? 0
      if (running !== count) throw new Error(`${running} runs of ${tenant} are running, not ${count}.`)
    }, patience)
  }

  /** Ends the run of a tenant that began first. */
  end(tenant: string): void {
    this.#running.get(tenant)?.shift()?.open()
  }
}

describe.each([
  ['memory', () => new MemoryServer(), ''],
  ['PostgreSQL', () => server.url, server.missing ?? ''],
  ['Redis', () => redis.url, redis.missing ?? ''],
])('workers on %s', (_title, open, missing) => {
  describe.skipIf(missing !== '')(`of a queue${missing}`, () => {
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
      // Without `wake()` a run comes back only after a minute.
      expect(new Set(await all(yard, [...ids, ...ids.map(id => `large-${id}`)]))).toEqual(new Set(['done']))
      expect([most.most.get('acme'), most.most.get('large')]).toEqual([1, 1])
    })

    test('use a limit fully while more runs wait, in their order, and leave the other places to other tenants', async () => {
      const yard = workers()
      const stage = new Stage()
      for (const at of [0, 1])
        await yard.start({
          commands: [work],
          concurrency: 6,
          does: stage.does,
          tenants: { acme: 4 },
          lockMs: 5_000 - at,
        })
      const ids = Array.from({ length: 24 }, (_none, at) => `acme-${at}`)
      for (const id of ids) await yard.submit(id, { tenant: 'acme' })
      for (let left = ids.length; left > 0; left--) {
        // Without `wake()` a run comes back only after a minute.
        await stage.running('acme', Math.min(4, left))
        if (left === 12) {
          // It begins although no run of the other tenant ends.
          await yard.submit('other', { tenant: 'other' })
          await stage.running('other', 1)
        }
        stage.end('acme')
      }
      stage.end('other')
      expect(new Set(await all(yard, [...ids, 'other']))).toEqual(new Set(['done']))
      const begun = stage.begun.filter(id => id !== 'other')
      expect(begun.toSorted()).toEqual(ids.toSorted())
      // Only those that are looked at at the same time may overtake each other: there are twelve places.
      for (const [at, id] of begun.entries()) expect(Math.abs(ids.indexOf(id) - at)).toBeLessThanOrEqual(12)
      expect(stage.most.get('acme')).toBe(4)
    })

    test('begin a run of another tenant before all that wait for a limit were looked at', async () => {
      const yard = workers()
      const begun = gate()
      const ids = Array.from({ length: 200 }, (_none, at) => `acme-${at}`)
      for (const id of ids) await yard.submit(id, { tenant: 'acme', priority: 3 })
      for (const id of ['first', 'second']) await yard.submit(id, { tenant: 'other', priority: 3 })
      const queue = await (yard.runs as WorkerRuns).opened()
      const looks = vi.spyOn(Object.getPrototypeOf(queue) as JobQueue, 'waitBehind')
      onTestFinished(() => looks.mockRestore())
      const order: string[] = []
      let looked = Infinity
      const does: Setting['does'] = async ({ held: { record } }) => {
        if (record.job?.tenant === 'other') {
          order.push(record.id)
          looked = looks.mock.calls.length
          if (order.length === 2) begun.open()
        }
        await begun.opened
        return 'Done.'
      }
      await yard.start({ commands: [work], concurrency: 4, does, tenants: { acme: 1 } })
      await begun.opened
      expect(order.toSorted()).toEqual(['first', 'second'])
      // Otherwise all 200 are looked at first.
      expect(looked).toBeLessThan(100)
    })

    test('begin no run of a tenant before those of it that wait longer', async () => {
      const yard = workers()
      const stage = new Stage()
      await yard.start({ commands: [work], concurrency: 3, does: stage.does, tenants: { acme: 1 } })
      const waitFor = async (delayed: number): Promise<void> =>
        vi.waitFor(async () => {
          const depth = await (yard.runs as WorkerRuns).opened().then(queue => queue.depth())
          expect(depth.jobs).toEqual({ waiting: 0, delayed, active: 1 })
        }, patience)
      await yard.submit('a', { tenant: 'acme' })
      await stage.running('acme', 1)
      for (const [at, id] of ['b', 'c', 'd'].entries()) {
        await yard.submit(id, { tenant: 'acme' })
        await waitFor(at + 1)
      }
      // Why it waits is told.
      const limitOf = async (id: string): Promise<string | undefined> => yard.runs.limitOf(await yard.runs.get(id))
      expect([await limitOf('a'), await limitOf('b')]).toEqual([undefined, 'tenant acme'])
      stage.end('acme')
      await stage.running('acme', 1)
      for (const [at, id] of ['e', 'f'].entries()) {
        await yard.submit(id, { tenant: 'acme' })
        await waitFor(at + 3)
      }
      for (let left = 5; left > 0; left--) {
        await stage.running('acme', 1)
        stage.end('acme')
      }
      expect(new Set(await all(yard, ['a', 'b', 'c', 'd', 'e', 'f']))).toEqual(new Set(['done']))
      expect(stage.begun).toEqual(['a', 'b', 'c', 'd', 'e', 'f'])
    })

    test.each([
      ['has the limit', { acme: 1 }],
      ['has no limits', {}],
    ])('begin one that was not woken by the worker that was to, if another one %s', async (_which, tenants) => {
      const yard = workers()
      const stage = new Stage()
      const setting = { commands: [work], concurrency: 2, does: stage.does, tenants: { acme: 1 } }
      await yard.start(setting)
      const queue = await (yard.runs as WorkerRuns).opened()
      await yard.submit('one', { tenant: 'acme' })
      await stage.running('acme', 1)
      await yard.submit('two', { tenant: 'acme' })
      await vi.waitFor(
        async () => expect((await queue.depth()).jobs).toMatchObject({ delayed: 1, active: 1 }),
        patience,
      )
      const broken = vi
        .spyOn(Object.getPrototypeOf(queue) as JobQueue, 'wake')
        .mockRejectedValue(new Error('It was killed.'))
      onTestFinished(() => broken.mockRestore())
      stage.end('acme')
      await vi.waitFor(() => expect(yard.errors).toEqual(['It was killed.']), patience)
      broken.mockRestore()
      // Every worker looks for such runs when it starts, and then every 5 s.
      await yard.start({ ...setting, tenants })
      await stage.running('acme', 1)
      stage.end('acme')
      expect(await all(yard, ['one', 'two'])).toEqual(['done', 'done'])
    })

    test('begin one of a low priority that has waited for minutes before later ones of a higher priority', async () => {
      let ahead = 0
      const queue = open()
      const yard = workersOf(queue, { ...systemClock, now: () => systemClock.now() + ahead })
      const runs = yard.runs as WorkerRuns
      await yard.submit('low', { priority: 9 })
      await yard.submit('high', { priority: 2 })
      await yard.submit('plain')
      ahead = 5 * 60_000
      if (typeof queue !== 'string') queue.ahead = ahead
      // It looks at all runs that were submitted before now.
      await runs.addLeft(-1_000, error => expect.unreachable(error.message))
      for (const [id, priority] of [
        ['late-3', 3],
        ['late-4', 4],
        ['late-5', 5],
      ] as const)
        await yard.submit(id, { priority })
      const order: string[] = []
      await yard.start({ commands: [work], concurrency: 1, does: ({ held }) => (order.push(held.record.id), 'Done.') })
      await all(yard, ['low', 'high', 'plain', 'late-3', 'late-4', 'late-5'])
      // 9 has become 4, and 2 has become 0, like a run without a priority.
      expect(order).toEqual(['plain', 'high', 'late-3', 'low', 'late-4', 'late-5'])
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
