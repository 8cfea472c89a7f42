import { homedir } from 'node:os'
import { expect, test } from 'vitest'
import { processHost, systemClock } from './index.js'

test('the host of this process describes it', () => {
  const { cwd, home, env, platform, uid } = processHost()
  expect({ cwd, home, env, platform, uid }).toEqual({
    cwd: process.cwd(),
    home: homedir(),
    env: process.env,
    platform: process.platform,
    uid: process.getuid?.(),
  })
})

test('what the caller knows better counts', () => {
  expect(processHost({ cwd: '/elsewhere', sessionId: 's' })).toMatchObject({
    cwd: '/elsewhere',
    sessionId: 's',
    home: homedir(),
  })
})

test('on Windows its folders have forward slashes, and elsewhere a backslash is part of a name', () => {
  const folders = { cwd: 'C:\\work\\p', home: 'C:\\Users\\a' }
  expect(processHost({ ...folders, platform: 'win32' })).toMatchObject({ cwd: 'C:/work/p', home: 'C:/Users/a' })
  expect(processHost({ ...folders, platform: 'linux' })).toMatchObject(folders)
})

test('on Windows a variable is found by its name in capitals, however it is written', () => {
  const env = { Path: 'C:\\bin', HOME: 'x' }
  expect(processHost({ env, platform: 'win32' }).env).toMatchObject({ PATH: 'C:\\bin', Path: 'C:\\bin', HOME: 'x' })
  expect(processHost({ env, platform: 'linux' }).env).toBe(env)
})

test('a session has one id, and another session another', () => {
  const host = processHost()
  expect(host.sessionId).toMatch(/^[0-9a-f-]{36}$/)
  expect(host.sessionId).toBe(host.sessionId)
  expect(processHost().sessionId).not.toBe(host.sessionId)
})

test('the system clock tells the time and calls once, unless cancelled', async () => {
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000)
  const called: string[] = []
  const cancel = systemClock.after(0, () => called.push('cancelled'))
  await new Promise<void>(resolve => {
    systemClock.after(1, () => {
      called.push('due')
      resolve()
    })
    cancel()
  })
  expect(called).toEqual(['due'])
  // A timer fires at once if its delay is too long for it.
  const warnings: string[] = []
  const hear = (warning: Error): void => void warnings.push(warning.name)
  process.on('warning', hear)
  const undo = systemClock.after(3e9, () => called.push('at once'))
  await new Promise<void>(resolve => void systemClock.after(5, resolve))
  undo()
  process.off('warning', hear)
  expect([called, warnings]).toEqual([['due'], []])
})
