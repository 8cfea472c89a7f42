import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { fakeClock, tempTree } from '@skills/testing'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { WorkerHealth, type HealthPlaces } from './worker-health.js'

const opened: WorkerHealth[] = []
afterEach(async () => {
  for (const health of opened.splice(0)) await health.close()
})

function made(places: HealthPlaces, ask: () => Promise<unknown> = async () => []) {
  const tree = tempTree({})
  onTestFinished(() => tree.dispose())
  const clock = fakeClock()
  const errors: Error[] = []
  const health = new WorkerHealth(places, { cwd: tree.path, clock }, ask, error => void errors.push(error))
  opened.push(health)
  return { health, clock, errors, path: tree.path }
}

async function told(health: WorkerHealth, path: string, init?: RequestInit): Promise<readonly [number, unknown]> {
  const response = await fetch(`${health.url ?? ''}${path}`, init)
  const text = await response.text()
  return [response.status, text === '' ? '' : (JSON.parse(text) as unknown)]
}

test('a worker is live from the start, and ready while it takes runs and its queue answers', async () => {
  let problem: string | undefined
  const { health, clock } = made({ port: 0 }, async () => {
    if (problem !== undefined) throw new Error(problem)
  })
  await health.open()
  expect(await told(health, '/live')).toEqual([200, { live: true }])
  expect(await told(health, '/ready')).toEqual([503, { ready: false, problem: 'the worker is starting' }])
  health.begin()
  expect(await told(health, '/ready?probe=1')).toEqual([200, { ready: true }])
  problem = 'The server of the queue is away.'
  // The last answer holds for a second, so that probes do not load the server.
  expect(await told(health, '/ready')).toEqual([200, { ready: true }])
  await clock.advance(1_000)
  expect(await told(health, '/ready')).toEqual([503, { ready: false, problem }])
  problem = undefined
  await clock.advance(1_000)
  expect(await told(health, '/ready', { method: 'HEAD' })).toEqual([200, ''])
  health.drain()
  expect(await told(health, '/ready')).toEqual([503, { ready: false, problem: 'the worker takes no more runs' }])
  expect(await told(health, '/live')).toEqual([200, { live: true }])
  expect((await told(health, '/live', { method: 'POST' }))[0]).toBe(405)
  expect((await told(health, '/'))[0]).toBe(404)
})

test('a queue that does not answer in time makes a worker not ready', async () => {
  let asked = (): void => {}
  const isAsked = new Promise<void>(resolve => {
    asked = resolve
  })
  const { health, clock } = made({ port: 0 }, () => {
    asked()
    return new Promise(() => {})
  })
  await health.open()
  health.begin()
  const answer = told(health, '/ready')
  await isAsked
  await clock.advance(2_000)
  expect(await answer).toEqual([503, { ready: false, problem: 'the queue did not answer within 2000 ms' }])
})

test('the file is there while the worker is ready, and is written again', async () => {
  let isAway = false
  const { health, clock, path } = made({ file: 'run/ready' }, async () => {
    if (isAway) throw new Error('Away.')
  })
  mkdirSync(`${path}/run`)
  writeFileSync(`${path}/run/ready`, 'of a worker that was killed')
  await health.open()
  expect(existsSync(`${path}/run/ready`)).toBe(false)
  health.begin()
  expect(existsSync(`${path}/run/ready`)).toBe(true)
  isAway = true
  await clock.advance(10_000)
  // The look has ended once the clock is asked for the next one.
  await clock.advance(0)
  expect(existsSync(`${path}/run/ready`)).toBe(false)
  isAway = false
  await clock.advance(10_000)
  await clock.advance(0)
  expect(existsSync(`${path}/run/ready`)).toBe(true)
  health.drain()
  expect(existsSync(`${path}/run/ready`)).toBe(false)
})

test('a place that cannot be used is refused before any run is taken, and stays as it is', async () => {
  const first = made({ port: 0 })
  await first.health.open()
  const port = Number(new URL(first.health.url ?? '').port)
  await expect(made({ port }).health.open()).rejects.toMatchObject({
    code: 'E_INVALID_OPTION',
    message: expect.stringContaining('EADDRINUSE') as string,
  })
  const { health, path } = made({ file: 'folder' })
  mkdirSync(`${path}/folder/inner`, { recursive: true })
  await expect(health.open()).rejects.toMatchObject({ code: 'E_INVALID_OPTION' })
  await health.close()
  expect(existsSync(`${path}/folder/inner`)).toBe(true)
})
