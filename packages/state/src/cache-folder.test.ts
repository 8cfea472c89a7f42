import { fakeHost } from '@skills/testing'
import { expect, it } from 'vitest'
import { cacheFolderOf, stateFolderOf } from './index.js'

it.each([
  ['linux', {}, '/home/user/.cache/skills'],
  ['freebsd', { XDG_CACHE_HOME: '/cache/' }, '/cache/skills'],
  ['linux', { XDG_CACHE_HOME: '' }, '/home/user/.cache/skills'],
  ['linux', { XDG_CACHE_HOME: 'relative/cache', TMPDIR: '/tmp' }, '/home/user/.cache/skills'],
  ['darwin', { XDG_CACHE_HOME: '/cache' }, '/home/user/Library/Caches/skills'],
  ['win32', { LOCALAPPDATA: 'C:\\Users\\user\\AppData\\Local' }, 'C:/Users/user/AppData/Local/skills/cache'],
  ['win32', {}, '/home/user/AppData/Local/skills/cache'],
] as const)(
  'on %s with %j what can be made anew lies in %s, apart from what is remembered',
  (platform, env, expected) => {
    const host = fakeHost({ platform, env })
    expect(cacheFolderOf(host)).toBe(expected)
    expect(stateFolderOf(host)).not.toBe(expected)
  },
)

it('is nowhere without a home folder, unless the environment names one', () => {
  expect(() => cacheFolderOf(fakeHost({ home: '' }))).toThrow(expect.objectContaining({ code: 'E_STATE' }))
  expect(cacheFolderOf(fakeHost({ home: '', env: { XDG_CACHE_HOME: '/cache' } }))).toBe('/cache/skills')
})
