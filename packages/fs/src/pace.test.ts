import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Pace } from './pace.js'

describe('the pace of a scan', () => {
  it('stays slow where reads are said to be slow', () => {
    const pace = new Pace(true)
    for (let read = 0; read < 5000; read++) pace.endCallbackRead()
    expect(pace.isSlow).toBe(true)
  })

  it('is not slow from the start otherwise', () => {
    const pace = new Pace()
    expect(pace.isSlow).toBe(false)
    pace.endRead()
    expect(pace.isSlow).toBe(false)
  })

  it.each([['slow', true, 1], ['quick', false, 8]] as const)('looks at the time after so many kept files where reads are %s', (_, isSlow, files) => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1000)
    onTestFinished(() => clock.mockRestore())
    const pace = new Pace(isSlow)
    clock.mockReturnValue(1010)
    const ends = Array.from({ length: 8 }, () => pace.endKept())
    expect(ends.indexOf(true) + 1).toBe(files)
  })

  it('lets the event loop turn when it gives way', async () => {
    let isTurned = false
    setImmediate(() => {
      isTurned = true
    })
    await new Pace().giveWay()
    expect(isTurned).toBe(true)
  })
})
