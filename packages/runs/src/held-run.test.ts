import { systemClock } from '@skills/core'
import { fakeHost } from '@skills/testing'
import { expect, test } from 'vitest'
import { LoggedRuns, openRunKeys, type RunEntry, type RunLogs, type RunSpec } from '@skills/runs'

const spec: RunSpec = {
  id: 'one',
  skill: { name: 'deploy', source: 'project', digest: 'a1' },
  args: '',
  caller: 'user',
  agent: 'general-purpose',
  tools: { without: [] },
  limits: { maxSteps: 5, ms: 1000 },
  session: 's',
  depth: 0,
  isBackground: true,
}

/** Journals in memory. Each append is recorded by the types of its entries, and each read by where it began. */
class CountedLogs implements RunLogs {
  readonly requests: string[] = []
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
    return this.#lines.slice(from)
  }

  ids = (): readonly string[] => ['one']
  remove = (): boolean => false
}

function runsOver(logs: RunLogs): LoggedRuns {
  const keys = openRunKeys(fakeHost({}), { keys: ['k'.repeat(32)] })
  const holder = (): { name: string } => ({ name: 'here' })
  return new LoggedRuns({ logs, keys, place: 'workers', clock: systemClock, holder, isGone: () => true })
}

const model = { kind: 'model', input: 1, idempotent: true } as const
const tool = { kind: 'tool', input: 1, idempotent: false } as const

test('a run that was looked at is taken without reading it again, and its last answer is written with its end', async () => {
  const logs = new CountedLogs()
  const runs = runsOver(logs)
  await runs.submit(spec)
  expect(await runs.look('one')).toMatchObject({ state: 'queued' })
  const held = await runs.take('one')
  const answer = (key: string, isLast: boolean): Promise<string> =>
    held.journal.step({ ...model, key, isLast: () => isLast }, begin => begin().then(() => 'Done.'))
  await answer('model 0', false)
  await answer('model 1', true)
  await held.end({ state: 'done' })
  expect(logs.requests).toEqual(['queued', 'read 0', 'taken', 'begun finished', 'begun finished ended'])
  expect(await runs.get('one')).toMatchObject({ state: 'done', progress: { steps: 2 } })
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
