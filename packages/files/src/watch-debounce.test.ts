import { fakeClock } from '@skills/testing'
import { describe, expect, it } from 'vitest'
import { Debounce } from './watch-debounce.js'

function debouncing(work: () => Promise<void> = async () => {}) {
  const clock = fakeClock()
  const start = clock.now()
  const times: number[] = []
  const debounce = new Debounce({
    clock,
    quietMs: 100,
    work: () => {
      times.push(clock.now() - start)
      return work()
    },
  })
  return { clock, times, debounce }
}

describe('a debounce', () => {
  it('waits until it was quiet for its time, with one timer', async () => {
    const { clock, times, debounce } = debouncing()
    for (let event = 0; event < 4; event++) {
      debounce.touch()
      debounce.touch()
      expect(clock.pending).toBe(1)
      await clock.advance(60)
    }
    await clock.advance(1000)
    expect(times).toEqual([280])
    expect(clock.pending).toBe(0)
  })

  it('puts off what never rests ten times as long at most', async () => {
    const { clock, times, debounce } = debouncing()
    for (let event = 0; event < 50; event++) {
      debounce.touch()
      await clock.advance(50)
    }
    expect(times).toEqual([1000, 2000])
  })

  it('keeps what comes during the work for the next time', async () => {
    let end = (): void => {}
    const { clock, times, debounce } = debouncing(
      () =>
        new Promise(resolve => {
          end = resolve
        }),
    )
    debounce.touch()
    await clock.advance(100)
    debounce.touch()
    await clock.advance(500)
    expect(times).toEqual([100])
    end()
    await clock.advance(100)
    expect(times).toEqual([100, 700])
  })

  it('does nothing once it is closed, and waits for work that had begun', async () => {
    let end = (): void => {}
    const { clock, times, debounce } = debouncing(
      () =>
        new Promise(resolve => {
          end = resolve
        }),
    )
    debounce.touch()
    await clock.advance(100)
    debounce.touch()
    let isClosed = false
    const closing = debounce.close().then(() => {
      isClosed = true
    })
    await clock.advance(500)
    expect([times, isClosed, clock.pending]).toEqual([[100], false, 0])
    end()
    await closing
    debounce.touch()
    await clock.advance(500)
    expect(times).toEqual([100])
  })
})
