import { fakeClock } from '@skills/testing'
import { expect, test } from 'vitest'
import { serving } from '../test/serving.js'
import { HttpSessions } from './http-sessions.js'
import { settledHttp } from './http-options.js'
import { Rate } from './rate.js'

const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
}

test('a session ends when nothing was asked in it for a time, and not before', async () => {
  const { server } = await serving({})
  const clock = fakeClock()
  const sessions = new HttpSessions(server, settledHttp({ sessionMs: 1000, maxSessions: 1 }), clock)
  const session = await sessions.begin('ann')
  expect(sessions.isFull).toBe(true)
  const answer = await session.transport.handleRequest(
    new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(hello),
    }),
  )
  expect(answer.status).toBe(200)
  await sessions.begun(session)
  const id = session.transport.sessionId ?? ''
  const release = sessions.use(id)
  sessions.use(id)()
  await clock.advance(5000)
  expect(sessions.find(id, 'ann')).toBe(session)
  release()
  await clock.advance(999)
  expect(sessions.find(id, 'ann')).toBe(session)
  await clock.advance(1)
  expect(sessions.find(id, 'ann')).toBeUndefined()
  expect([sessions.isFull, clock.pending]).toEqual([false, 0])
})

test('a rate lets through five times as many at once, and then so many a second', async () => {
  const clock = fakeClock()
  const rate = new Rate(clock, 2, 100)
  const begun = () => Array.from({ length: 20 }, () => rate.begin()).filter(end => end !== undefined).length
  expect(begun()).toBe(10)
  await clock.advance(1500)
  expect(begun()).toBe(3)
  const narrow = new Rate(clock, 100, 2)
  const end = narrow.begin()
  expect([narrow.begin(), narrow.begin()].map(one => one !== undefined)).toEqual([true, false])
  end?.()
  end?.()
  expect([narrow.begin(), narrow.begin()].map(one => one !== undefined)).toEqual([true, false])
})
