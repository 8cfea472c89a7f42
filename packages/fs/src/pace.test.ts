import { describe, expect, it } from 'vitest'
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

  it('lets the event loop turn when it gives way', async () => {
    let isTurned = false
    setImmediate(() => {
      isTurned = true
    })
    await new Pace().giveWay()
    expect(isTurned).toBe(true)
  })
})
