import { expect, it } from 'vitest'
import { userStateFolder } from './state-folder.js'

it.each([
  ['linux', {}, '/home/u/.local/state/skills'],
  ['linux', { XDG_STATE_HOME: '/var/state/' }, '/var/state/skills'],
  ['linux', { XDG_STATE_HOME: 'relative' }, '/home/u/.local/state/skills'],
  ['darwin', { XDG_STATE_HOME: '/var/state' }, '/home/u/Library/Application Support/skills'],
  ['win32', { LOCALAPPDATA: 'C:\\Users\\u\\AppData\\Local' }, 'C:/Users/u/AppData/Local/skills'],
  ['win32', {}, '/home/u/AppData/Local/skills'],
] as const)('what is kept for a user lies where %s keeps such things: %j', (platform, env, folder) => {
  expect(userStateFolder({ platform, env, home: '/home/u' })).toBe(folder)
})

it('without a home folder nothing can be kept', () => {
  expect(userStateFolder({ platform: 'linux', env: {}, home: '' })).toBeUndefined()
})
