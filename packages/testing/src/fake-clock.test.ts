import { expect, test } from 'vitest'
import { fakeClock } from './index.js'

test('the clock stands still until it is advanced', async () => {
  const clock = fakeClock(1000)
  expect(clock.now()).toBe(1000)
  await clock.advance(250)
  expect(clock.now()).toBe(1250)
})

test('timers are called in order of their time, each when the clock shows it', async () => {
  const clock = fakeClock(0)
  const calls: string[] = []
  for (const [name, ms] of [
    ['late', 30],
    ['early', 10],
    ['same', 10],
    ['never', 31],
  ] as const) {
    clock.after(ms, () => calls.push(`${name} at ${clock.now()}`))
  }
  await clock.advance(30)
  expect(calls).toEqual(['early at 10', 'same at 10', 'late at 30'])
  expect(clock.pending).toBe(1)
})

test('a cancelled timer is not called and does not wait', async () => {
  const clock = fakeClock()
  const calls: string[] = []
  const cancel = clock.after(10, () => calls.push('called'))
  cancel()
  cancel()
  expect(clock.pending).toBe(0)
  await clock.advance(10)
  expect(calls).toEqual([])
})

test('promises run between the calls, so what they begin within the span is called too', async () => {
  const clock = fakeClock(0)
  const calls: number[] = []
  const sleep = (ms: number): Promise<void> =>
    new Promise(resolve => {
      clock.after(ms, resolve)
    })
  const work = async (): Promise<void> => {
    for (let round = 0; round < 3; round++) {
      await sleep(10)
      calls.push(clock.now())
    }
  }
  const working = work()
  await clock.advance(25)
  expect(calls).toEqual([10, 20])
  await clock.advance(5)
  await working
  expect(calls).toEqual([10, 20, 30])
})

test('a timer for the past is due at once', async () => {
  const clock = fakeClock(100)
  const calls: number[] = []
  clock.after(-5, () => calls.push(clock.now()))
  await clock.advance(0)
  expect(calls).toEqual([100])
})
