import { expect, test } from 'vitest'
import { fakeClock, fakeHost } from './index.js'

test('the host is the same on every machine', () => {
  expect(fakeHost()).toMatchObject({
    cwd: '/home/user/project',
    home: '/home/user',
    env: {},
    platform: 'linux',
    uid: 1000,
  })
  expect(fakeHost().sessionId).toBe(fakeHost().sessionId)
  expect(fakeHost().clock.now()).toBe(fakeClock().now())
})

test('a test says what it is about', () => {
  const clock = fakeClock(5)
  const known = { cwd: '/elsewhere', env: { HOME: '/x' }, clock }
  expect(fakeHost(known)).toMatchObject({ ...known, home: '/home/user' })
})
