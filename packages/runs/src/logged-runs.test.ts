import { getEventListeners } from 'node:events'
import { processHost, systemClock } from '@skills/core'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { LoggedRuns, openRunKeys, openRuns } from '@skills/runs'
import { FileLogs } from './file-logs.js'
import { specOf } from '../test/spec-of.js'

const spec = specOf('one')

test('who waits for a run holds the process, and leaves neither a listener nor a timer behind', async () => {
  const tree = tempTree({})
  onTestFinished(() => tree.dispose())
  let timers = 0
  const clock = {
    ...systemClock,
    after: (ms: number, callback: () => void): (() => void) => {
      timers += 1
      const cancel = systemClock.after(ms, callback)
      return () => {
        timers -= 1
        cancel()
      }
    },
  }
  const runs = openRuns({ ...processHost({ home: tree.path, env: {} }), clock })
  const controller = new AbortController()
  const { signal } = controller
  const held = await runs.begin(spec)
  const before = timers
  const waits = [runs.settled('one', { signal }), runs.settled('one', { signal })]
  expect([timers - before, getEventListeners(signal, 'abort').length]).toEqual([2, 2])
  await held?.end({ state: 'done' })
  expect((await Promise.all(waits)).map(({ state }) => state)).toEqual(['done', 'done'])
  expect([timers, getEventListeners(signal, 'abort').length]).toEqual([before, 0])
  await runs.submit({ ...spec, id: 'two' })
  const waiting = runs.settled('two', { signal })
  controller.abort()
  await expect(waiting).rejects.toThrow('aborted')
  expect([timers, getEventListeners(signal, 'abort').length]).toEqual([before, 0])
})

test('a run that is queued again after remove() looked at it stays; one that was removed is not written to', async () => {
  const tree = tempTree({})
  onTestFinished(() => tree.dispose())
  const host = processHost({ home: tree.path, env: {} })
  const logs = new FileLogs({ folder: `${tree.path}/runs`, owner: host.uid, clock: systemClock, lockMs: 5000 })
  let meanwhile = async (): Promise<unknown> => runs.retry('one')
  const runs: LoggedRuns = new LoggedRuns({
    logs: {
      append: (...given) => logs.append(...given),
      read: (...given) => logs.read(...given),
      ids: () => logs.ids(),
      async remove(...given) {
        await meanwhile()
        return logs.remove(...given)
      },
    },
    keys: openRunKeys(host, { keys: ['k'.repeat(32)] }),
    place: 'here',
    clock: systemClock,
    holder: () => ({ name: 'here' }),
    isGone: () => true,
  })
  await runs.submit(spec)
  await runs.cancel('one')
  await expect(runs.remove('one')).rejects.toMatchObject({ code: 'E_RUN_STATE' })
  expect(await runs.get('one')).toMatchObject({ state: 'queued', entries: 4 })
  meanwhile = async () => {}
  const { entries } = await runs.cancel('one')
  await runs.remove('one')
  expect(await logs.append('one', entries, ['late'], [])).toBe(false)
  expect(logs.ids()).toEqual([])
  await expect(runs.retry('one')).rejects.toMatchObject({ code: 'E_RUN_UNKNOWN' })
})

test('a run whose process ends while it cancels it is ended when its deadline is looked at again', async () => {
  const tree = tempTree({})
  onTestFinished(() => tree.dispose())
  const host = processHost({ home: tree.path, env: {} })
  let isGone = false
  let ahead = 0
  const runsOf = (name: string): LoggedRuns => {
    const logs = new FileLogs({ folder: `${tree.path}/runs`, owner: host.uid, clock: systemClock, lockMs: 5000 })
    return new LoggedRuns({
      logs: {
        append: (...given) => logs.append(...given),
        read: (...given) => logs.read(...given),
        ids: () => logs.ids(),
        remove: (...given) => logs.remove(...given),
        now: () => systemClock.now() + ahead,
      },
      keys: openRunKeys(host, { keys: ['k'.repeat(32)] }),
      place: 'here',
      clock: systemClock,
      holder: () => ({ name }),
      isGone: () => isGone,
    })
  }
  const [one, other] = [runsOf('one'), runsOf('other')]
  await one.submit({ ...spec, job: { deadlineMs: 3_600_000 } })
  await one.take('one')
  ahead = 3_600_000
  expect(await other.expire('one')).toMatchObject({ state: 'running', isCancelling: true })
  expect((await other.expire('one')).entries).toBe((await other.get('one')).entries)
  isGone = true
  expect(await other.expire('one')).toMatchObject({ state: 'cancelled' })
})
