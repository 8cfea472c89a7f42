/* oxlint-disable no-restricted-imports -- the README imports the package by its name, as its readers do */
// #region usage
import { createSkills, type Host, type Plugin } from '@skills/core'
import { trustKind } from '@skills/invocation'
import { stateKind, stateStore } from '@skills/state'
import { trust } from '@skills/trust'

function engine(host: Host, plugins: readonly Plugin[]) {
  return createSkills({
    host,
    kinds: [stateKind, trustKind],
    plugins: [...plugins, stateStore(), trust()],
    onDiagnostic: ({ message }) => process.emitWarning(message),
  })
}
// #endregion usage

// #region folders
import { openState } from '@skills/state'
import { revokeFolder, trustedFolders, trustFolder } from '@skills/trust'

async function trustCommand(host: Host, [option, folder = '.']: readonly string[]) {
  const state = openState(host, { report: ({ message }) => process.emitWarning(message) })
  if (option === '--list') return (await trustedFolders(state)).map(({ path }) => path)
  if (option === '--revoke') return (await revokeFolder(state, folder, host)).revoked.map(({ path }) => path)
  return [(await trustFolder(state, option ?? '.', host)).path]
}
// #endregion folders

import { fileSource } from '@skills/files/source'
import { fakeHost, tempTree } from '@skills/testing'
import { expect, it, onTestFinished } from 'vitest'

it('trusts, lists and revokes as the README shows, and says what is not trusted', async () => {
  const tree = tempTree({ 'app/skills/deploy/SKILL.md': 'Deploy !`date`.' })
  onTestFinished(() => tree.dispose())
  const host = fakeHost({ home: `${tree.path}/home`, cwd: `${tree.path}/app`, uid: process.getuid?.() })
  const source = fileSource({
    id: 'project',
    source: 'project',
    roots: () => ({ roots: [{ path: `${tree.path}/app/skills` }] }),
  })
  const skills = engine(host, [source])
  onTestFinished(() => skills.close())
  const notes = async (): Promise<readonly string[]> => (await skills.explain('deploy')).notes.map(({ text }) => text)
  const untrusted = [expect.stringContaining('until its folder is trusted')]
  expect(await notes()).toEqual(untrusted)
  expect(await trustCommand(host, [])).toEqual([`${tree.path}/app`])
  expect(await notes()).not.toEqual(untrusted)
  expect(await trustCommand(host, ['--list'])).toEqual([`${tree.path}/app`])
  expect(await trustCommand(host, ['--revoke', '.'])).toEqual([`${tree.path}/app`])
  expect(await notes()).toEqual(untrusted)
})
