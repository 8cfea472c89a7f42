import { fakeHost } from '@skills/testing'
import { expect, it } from 'vitest'
import { stateFolderOf } from './index.js'

it.each([
  ['linux', {}, '/home/user/.local/state/skills'],
  ['freebsd', { XDG_STATE_HOME: '/state/' }, '/state/skills'],
  ['linux', { XDG_STATE_HOME: '' }, '/home/user/.local/state/skills'],
  ['linux', { XDG_STATE_HOME: 'relative/state' }, '/home/user/.local/state/skills'],
  ['linux', { XDG_STATE_HOME: '/sta\\te' }, '/sta\\te/skills'],
  ['darwin', { XDG_STATE_HOME: '/state' }, '/home/user/Library/Application Support/skills'],
  ['win32', { LOCALAPPDATA: 'C:\\Users\\user\\AppData\\Local' }, 'C:/Users/user/AppData/Local/skills'],
  ['win32', {}, '/home/user/AppData/Local/skills'],
] as const)('on %s with %j it is %s', (platform, env, expected) => {
  expect(stateFolderOf(fakeHost({ platform, env }))).toBe(expected)
})

it('is nowhere without a home folder, unless the environment names one', () => {
  expect(() => stateFolderOf(fakeHost({ home: '' }))).toThrow(expect.objectContaining({ code: 'E_STATE' }))
  expect(() => stateFolderOf(fakeHost({ home: 'rel/a' }))).toThrow(
    'There is no home folder, so nothing can be remembered: "rel/a" is not absolute.',
  )
  expect(() => stateFolderOf(fakeHost({ home: '', env: { HOME: 'rel' } }))).toThrow(
    expect.objectContaining({ code: 'E_STATE', message: expect.stringContaining(': "rel" ') }),
  )
  expect(stateFolderOf(fakeHost({ home: '', env: { XDG_STATE_HOME: '/state' } }))).toBe('/state/skills')
})
