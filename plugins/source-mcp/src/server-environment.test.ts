import { expect, test } from 'vitest'
import { serverEnvironment } from './server-environment.js'

test('a server gets a few variables of the host, and its own over them', () => {
  const env = { PATH: '/bin', HOME: '/home/a', TOKEN: 's3cret', LANG: undefined }
  expect(serverEnvironment({ env, platform: 'linux' }, { HOME: '/x', Path: 'own' })).toEqual({
    PATH: '/bin',
    HOME: '/x',
    Path: 'own',
  })
})

test('on Windows names of variables do not depend on case, and the later of two counts', () => {
  const env = { Path: 'C:\\bin', SystemRoot: 'C:\\Windows', HOME: 'x', token: 's3cret' }
  expect(serverEnvironment({ env, platform: 'win32' })).toEqual({ Path: 'C:\\bin', SystemRoot: 'C:\\Windows' })
  const own = { PATH: 'C:\\own', PLUGIN_ROOT: 'C:\\acme', plugin_root: 'x' }
  expect(serverEnvironment({ env, platform: 'win32' }, own)).toEqual({
    PATH: 'C:\\own',
    SystemRoot: 'C:\\Windows',
    plugin_root: 'x',
  })
})
