import { SkillsError, systemClock } from '@skills/core'
import { fakeClock, fakeHost } from '@skills/testing'
import { expect, test, vi } from 'vitest'
import { LoggedRuns, openRunKeys, type RunEntry, type RunLogs } from '@skills/runs'
import { specOf } from '../test/spec-of.js'
import type { HeldRun } from './runs.js'
import type { LoggedRunsOptions } from './logged-runs.js'

const spec = specOf('one')

/** Journals in memory. Each append is recorded by the types of its entries, and each read by where it began. */
class CountedLogs implements RunLogs {
  readonly requests: string[] = []
  /** Error with which the next reads fail. */
  failing: SkillsError | undefined
  readonly #lines: string[] = []

  async append(_id: string, count: number, lines: readonly string[], entries: readonly RunEntry[]): Promise<boolean> {
    this.requests.push(entries.map(({ type }) => type).join(' '))
    // As a server that answers later.
    await new Promise(resolve => setImmediate(resolve))
    if (this.#lines.length !== count) return false
    this.#lines.push(...lines)
    return true
  }

  read(_id: string, from = 0): readonly string[] {
    this.requests.push(`read ${from}`)
    if (this.failing !== undefined) throw this.failing
    return this.#lines.slice(from)
  }

  ids = (): readonly string[] => ['one']
  remove = (): boolean => false
}

function optionsOver(logs: RunLogs): LoggedRunsOptions {
  const keys = openRunKeys(fakeHost({}), { keys: ['k'.repeat(32)] })
  const holder = (): { name: string } => ({ name: 'here' })
  return { logs, keys, place: 'workers', clock: systemClock, holder, isGone: () => true }
}

const runsOver = (logs: RunLogs): LoggedRuns => new LoggedRuns(optionsOver(logs))

const model = { kind: 'model', input: 1, idempotent: true } as const
const tool = { kind: 'tool', input: 1, idempotent: false } as const

test('a run that was looked at is taken without reading it again, and an answer is written with what follows from it', async () => {
  const logs = new CountedLogs()
  const runs = runsOver(logs)
  await runs.submit(spec)
  expect(await runs.look('one')).toMatchObject({ state: 'queued' })
  const held = await runs.take('one')
  const step = (made: object, key: string): Promise<string> =>
    held.journal.step({ ...model, ...made, key }, begin => begin().then(() => key))
  await step(model, 'model 0')
  expect(await step(model, 'model 0')).toBe('model 0')
  // The answer has to be written before the first of its calls begins, also if that could be repeated.
  await Promise.all(['a', 'b'].map(key => step({ ...tool, idempotent: true }, key)))
  await step(model, 'model 1')
  await step(tool, 'c')
  await step(model, 'model 2')
  await held.end({ state: 'done' })
  expect(logs.requests).toEqual([
    'queued',
    'read 0',
    'taken',
    'begun finished begun begun',
    'finished finished',
    'begun finished begun',
    'finished',
    'begun finished ended',
  ])
  expect(await runs.get('one')).toMatchObject({ state: 'done', progress: { steps: 3, calls: 3 } })
})

/** Submits a run, looks at it and takes it as a worker does, with a clock that the test controls. */
async function deferred(logs: CountedLogs, parts: Partial<LoggedRunsOptions> = {}) {
  const clock = fakeClock()
  const runs = new LoggedRuns({ ...optionsOver(logs), clock, ...parts })
  await runs.submit(spec)
  await runs.look('one')
  logs.requests.length = 0
  const held = await runs.take('one', { isDeferred: true })
  const step = (made: object, key: string): Promise<string> =>
    held.journal.step({ ...tool, ...made, key }, begin => begin().then(() => key))
  return { clock, runs, held, step }
}

test('entries that no effect waits for are written with the next effect, or with the end', async () => {
  const logs = new CountedLogs()
  const { held, step } = await deferred(logs)
  expect(held.record).toMatchObject({ state: 'running', epoch: 1, holder: { name: 'here' } })
  await step(model, 'model 0')
  await step({}, 'a')
  expect(await step({}, 'a')).toBe('a')
  await step(model, 'model 1')
  await step({}, 'b')
  await step(model, 'model 2')
  await held.end({ state: 'done' })
  expect(logs.requests).toEqual([
    'taken begun finished begun',
    'finished begun finished begun',
    'finished begun finished ended',
  ])
})

test('they are written by themselves after 10 ms', async () => {
  const logs = new CountedLogs()
  const { clock, held, step } = await deferred(logs)
  await clock.advance(10)
  expect(logs.requests).toEqual(['taken'])
  await step({}, 'a')
  logs.requests.length = 0
  await clock.advance(9)
  expect(logs.requests).toEqual([])
  await clock.advance(1)
  await vi.waitFor(() => expect(held.record.progress.calls).toBe(1))
  await held.flush()
  expect(logs.requests).toEqual(['finished'])
})

test('a busy process collects more of them', async () => {
  const logs = new CountedLogs()
  const timers = fakeClock()
  let lateMs = 0
  await deferred(logs, { clock: { ...timers, now: () => timers.now() + lateMs } })
  for (let round = 0; round < 3; round++) {
    lateMs += 20
    await timers.advance(10)
  }
  expect(logs.requests).toEqual([])
  lateMs += 20
  await timers.advance(10)
  expect(logs.requests).toEqual(['taken'])
})

test('a run that another process changed before it was written here is lost, and its process makes no effect', async () => {
  for (const change of ['cancel', 'take'] as const) {
    const logs = new CountedLogs()
    const { held, step } = await deferred(logs)
    const other = runsOver(logs)
    await other[change]('one')
    await expect(step({}, 'a')).rejects.toMatchObject({ code: 'E_RUN_LOST' })
    expect(held.signal.aborted).toBe(true)
    expect((await other.journal('one')).filter(({ type }) => type === 'begun')).toEqual([])
  }
})

test('a run whose former process went on after it was read is not continued from there, and no call is made twice', async () => {
  for (const isTold of [false, true]) {
    const logs = new CountedLogs()
    const former = runsOver(logs)
    await former.submit(spec)
    const first = await former.take('one')
    const left: [number, boolean][] = []
    const runs = new LoggedRuns({
      ...optionsOver(logs),
      left: ({ epoch }, isTaken) => void left.push([epoch, isTaken]),
    })
    await runs.look('one')
    const held = await runs.take('one', { isDeferred: true })
    const made: string[] = []
    const call = (by: HeldRun, name: string): Promise<string> =>
      by.journal.step({ ...tool, key: 'a' }, async begin => {
        await begin()
        made.push(name)
        return 'made'
      })
    await call(first, 'former')
    const next = isTold ? held.flush() : call(held, 'latter')
    await expect(next).rejects.toMatchObject({ code: 'E_RUN_LOST' })
    expect([made, left[0]]).toEqual([['former'], [1, false]])
    // What it has made is known to the next process that takes the run.
    const again = await runs.take('one')
    expect(await call(again, 'next')).toBe('made')
    expect(made).toEqual(['former'])
  }
})

test('a run that was cancelled and queued again before it was written here is taken', async () => {
  const logs = new CountedLogs()
  const { held, runs } = await deferred(logs)
  const other = runsOver(logs)
  await other.cancel('one')
  await other.retry('one')
  await held.flush()
  expect((await runs.get('one')).state).toBe('running')
  await held.end({ state: 'done' })
  expect((await runs.get('one')).state).toBe('done')
})

test('a value counts as it was when its step ended, and one that cannot be written is told of at once', async () => {
  const logs = new CountedLogs()
  const { held, runs } = await deferred(logs)
  const value = ['first']
  await held.journal.step({ ...tool, key: 'a' }, begin => begin().then(() => value))
  value.push('second')
  await held.flush()
  expect((await runs.journal('one')).at(-1)).toMatchObject({ type: 'finished', value: ['first'] })
  const bad = held.journal.step({ ...tool, key: 'b' }, begin => begin().then(() => 1n))
  await expect(bad).rejects.toMatchObject({ code: 'E_RUN_ENTRY' })
  await held.end({ state: 'failed', error: { code: 'E_RUN_ENTRY', message: 'No.' } })
  expect((await runs.get('one')).state).toBe('failed')
})

test('a run that changed after it was looked at is read again', async () => {
  const logs = new CountedLogs()
  const [runs, other] = [runsOver(logs), runsOver(logs)]
  await runs.submit(spec)
  await runs.look('one')
  await (await other.take('one')).release('closed')
  expect((await runs.take('one')).record.epoch).toBe(2)
  await runs.look('one')
  runs.forget('one')
  logs.requests.length = 0
  await runs.take('one', { force: true })
  expect(logs.requests[0]).toBe('read 0')
})

test('the entries of calls at the same time are written together, each call in its order', async () => {
  const logs = new CountedLogs()
  const runs = runsOver(logs)
  await runs.submit(spec)
  const held = await runs.take('one')
  logs.requests.length = 0
  const call = (key: string, idempotent: boolean): Promise<string> =>
    held.journal.step({ ...tool, key, idempotent }, begin => begin().then(() => 'made'))
  await Promise.all([call('a', false), call('b', false), call('c', true), call('d', false)])
  expect(logs.requests.length).toBeLessThan(8)
  const entries = await runs.journal('one')
  for (const key of ['a', 'b', 'c', 'd'])
    expect(entries.flatMap(entry => ('key' in entry && entry.key === key ? entry.type : []))).toEqual([
      'begun',
      'finished',
    ])
})

test('a run that is cancelled while it parks ends, and its process does not say that it waits', async () => {
  const logs = new CountedLogs()
  const [runs, other] = [runsOver(logs), runsOver(logs)]
  await runs.submit(spec)
  const held = await runs.take('one')
  let finish = (): void => {}
  const call = held.journal.step({ ...tool, key: 'a' }, async begin => {
    await begin()
    await new Promise<void>(resolve => {
      finish = resolve
    })
    return 'made'
  })
  const question = { id: 'q', kind: 'permission', tool: 'Bash', content: 'x', message: 'May it?' } as const
  await vi.waitFor(() => expect(logs.requests).toContain('begun'))
  const asked = held.ask(question).catch((error: unknown) => error)
  await vi.waitFor(async () => expect((await other.get('one')).question).toMatchObject({ id: 'q' }))
  // This process holds the run for the other one, which cannot end it.
  await new LoggedRuns({ ...optionsOver(logs), isGone: () => false }).cancel('one')
  finish()
  await call
  expect(await asked).toMatchObject({ name: 'AbortError' })
  expect(held.isParked).toBe(false)
  expect((await other.get('one')).state).toBe('cancelled')
})

test('an error of the place of journals releases a run, and the same code of anything else ends it', async () => {
  const logs = new CountedLogs()
  const runs = runsOver(logs)
  await runs.submit(spec)
  logs.failing = new SkillsError('E_STATE', 'The disk is away.')
  const away = await runs.get('one').catch((error: unknown) => error)
  logs.failing = undefined
  const ending = { state: 'failed', error: { code: 'E_STATE', message: 'No.' } } as const
  await (await runs.take('one')).end(ending, away)
  expect((await runs.get('one')).state).toBe('queued')
  await (await runs.take('one')).end(ending, new SkillsError('E_STATE', 'A value of another file.'))
  expect((await runs.get('one')).state).toBe('failed')
})

test('nothing is written behind the end of a run', async () => {
  const logs = new CountedLogs()
  const runs = runsOver(logs)
  await runs.submit(spec)
  const held = await runs.take('one')
  logs.requests.length = 0
  await Promise.all([held.restart(), held.end({ state: 'cancelled' }), held.restart()])
  expect(logs.requests.join(' ').endsWith('ended')).toBe(true)
  expect((await runs.journal('one')).at(-1)).toMatchObject({ type: 'ended' })
})

test('a late run that is taken by force from its process ends with whoever took it', async () => {
  const logs = new CountedLogs()
  let now = systemClock.now()
  const clock = { ...systemClock, now: () => now }
  const [first, second] = [0, 1].map(() => new LoggedRuns({ ...optionsOver(logs), clock, isGone: () => false }))
  if (first === undefined || second === undefined) throw new Error('There are two.')
  await first.submit({ ...spec, job: { deadlineMs: 3_600_000 } })
  await first.take('one')
  now += 3_600_000
  const held = await second.take('one', { force: true })
  expect([held.record.epoch, held.signal.aborted]).toEqual([2, true])
  await held.end({ state: 'cancelled' })
  await expect(second.retry('one')).rejects.toMatchObject({ code: 'E_RUN_STATE' })
})
