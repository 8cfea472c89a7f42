import { fakeHost, tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'
import { isTrustedFolder, openState, revokeFolder, trustedFolders, trustFolder } from './trust.js'

it('tells a host whether it has to ask, and keeps the answer', async () => {
  const { path, dispose } = tempTree({ 'home/.keep': '', 'repo/app/x': '' })
  onTestFinished(dispose)
  const host = fakeHost({ cwd: `${path}/repo`, home: `${path}/home`, uid: process.getuid?.(), env: {} })
  const state = openState(host, { report: ({ message }) => expect.fail(message) })
  expect(await isTrustedFolder(state, host.cwd, host)).toBe(false)
  await trustFolder(state, host.cwd, host)
  expect(await isTrustedFolder(state, `${host.cwd}/app`, host)).toBe(true)
  expect((await trustedFolders(state)).map(folder => folder.path)).toEqual([host.cwd])
  await revokeFolder(state, host.cwd, host)
  expect(await isTrustedFolder(state, host.cwd, host)).toBe(false)
})
