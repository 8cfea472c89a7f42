import { fakeClock } from '@skills/testing'
import { expect, test } from 'vitest'
import { asking, type Asked, type EvalModel } from './index.js'

const asked: Asked = { skill: 's', id: 'q', trial: 0, step: 0, call: { prompt: [] } }
const signal = new AbortController().signal
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const done = { content: [], finishReason: { unified: 'stop' }, usage }

/** Makes a provider that refuses `times` requests with these headers. */
function refusing(times: number, headers: Readonly<Record<string, string>>, statusCode = 429) {
  const clock = fakeClock(Date.parse('2026-01-01T00:00:00Z'))
  const at: number[] = []
  let [now, most, refused] = [0, 0, 0]
  const doGenerate = async (): Promise<unknown> => {
    at.push(clock.now())
    most = Math.max(most, (now += 1))
    await new Promise(resolve => setImmediate(resolve))
    now -= 1
    if (refused++ < times)
      throw Object.assign(new Error('Too many.'), { isRetryable: true, statusCode, responseHeaders: headers })
    return done
  }
  const ask = asking({ doGenerate } as unknown as EvalModel, clock)
  return {
    clock,
    at: () => at.map(ms => ms - Date.parse('2026-01-01T00:00:00Z')),
    most: () => most,
    ask,
    /** Advances the clock until the work is finished, and returns its result. */
    async answered(work: Promise<unknown>, stepMs = 1000): Promise<string> {
      const ended = work.then(
        () => 'answered',
        (error: Error) => error.message,
      )
      for (;;) {
        const first = await Promise.race([
          ended,
          new Promise<undefined>(resolve => setImmediate(() => resolve(undefined))),
        ])
        if (first !== undefined) return first
        clock.advance(stepMs)
      }
    },
    forget: () => (most = 0),
  }
}

test.each([
  [{ 'retry-after': '7' }, [0, 7000]],
  [{ 'Retry-After': 'Thu, 01 Jan 2026 00:00:09 GMT' }, [0, 9000]],
  [{ 'retry-after-ms': '2500', 'retry-after': '7' }, [0, 2500]],
  [{}, [0, 1000]],
  [{ 'retry-after': 'soon' }, [0, 1000]],
])('after a refusal that says %j it is asked again then', async (headers, times) => {
  const { ask, answered, at } = refusing(1, headers)
  expect(await answered(ask(asked, signal), 100)).toBe('answered')
  expect(at().map(ms => Math.round(ms / 1000) * 1000 - (ms % 1000 === 500 ? 500 : 0))).toEqual(times)
})

test('it waits longer each time where nothing is said, and gives up after the sixth', async () => {
  const { ask, answered, at } = refusing(99, {}, 503)
  expect(await answered(ask(asked, signal), 1000)).toBe('Too many.')
  const times = at()
  expect(times.slice(1).map((ms, index) => ms - (times[index] ?? 0))).toEqual([1000, 2000, 4000, 8000, 16_000])
})

test('a provider that wants to be left alone for longer than two minutes is not waited for', async () => {
  const { ask, answered, at } = refusing(1, { 'retry-after': '3600' })
  expect(await answered(ask(asked, signal))).toBe('Too many.')
  expect(at()).toHaveLength(1)
})

test('those that were refused together wait together, and half as many are asked at one time', async () => {
  const { ask, answered, at, most, forget } = refusing(8, { 'retry-after': '5' })
  const all = Promise.all(Array.from({ length: 8 }, () => ask(asked, signal)))
  await new Promise(resolve => setImmediate(resolve))
  expect(most()).toBe(8)
  forget()
  expect(await answered(all)).toBe('answered')
  expect(at()).toHaveLength(16)
  expect(Math.min(...at().slice(8))).toBe(5000)
  expect(most()).toBeLessThanOrEqual(4)
})

test('one that is given up does not wait', async () => {
  const controller = new AbortController()
  const { ask } = refusing(9, { 'retry-after': '100' })
  const answer = ask(asked, controller.signal)
  await new Promise(resolve => setImmediate(resolve))
  await new Promise(resolve => setImmediate(resolve))
  controller.abort()
  await expect(answer).rejects.toMatchObject({ name: 'AbortError' })
})
