import { chmodSync, chownSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isPosix, isRoot, judged } from '../test/judged.js'
import { withoutRoot } from '@skills/testing'
import { folderToTrust, revokeFolder, trustedFolders, trustFolder } from './index.js'

const refusal = (text: string): unknown =>
  expect.objectContaining({ code: 'E_INVALID_OPTION', message: expect.stringContaining(text) })

describe('trustFolder', () => {
  it('trusts the real path of a folder, relative ones from the working folder, and says since when', async () => {
    const { state, host, project, tree, clock } = await judged({
      'home/app/apps/web': { dir: true },
      way: { link: 'home/app' },
    })
    const start = clock.now()
    expect(await trustFolder(state, 'apps/web/', host)).toEqual({
      path: `${project}/apps/web`,
      since: start,
      items: [],
    })
    await clock.advance(1000)
    expect(await trustFolder(state, `${tree.path}/way/`, host)).toEqual({
      path: project,
      since: start + 1000,
      items: [],
    })
    await clock.advance(1000)
    expect(await trustFolder(state, '.', host)).toEqual({ path: project, since: start + 1000, items: [] })
    expect(await trustedFolders(state)).toEqual([
      { path: project, since: start + 1000, items: [] },
      { path: `${project}/apps/web`, since: start, items: [] },
    ])
  })

  it('refuses the root, the home folder, and what is above it', async () => {
    const { state, host, tree } = await judged({ 'home-again': { link: 'home' } })
    for (const folder of [
      '/',
      '/..',
      tree.path,
      `${tree.path}/home`,
      `${tree.path}/home/`,
      `${tree.path}/home-again`,
      '..',
    ]) {
      await expect(trustFolder(state, folder, host), folder).rejects.toThrow(refusal('home folder or a folder above'))
      await expect(trustFolder(state, folder, { ...host, home: `${tree.path}/home-again` }), folder).rejects.toThrow(
        refusal('home folder'),
      )
      expect(() => folderToTrust(folder, host), folder).toThrow(refusal('cannot be trusted'))
    }
    expect(await trustedFolders(state)).toEqual([])
  })

  it('refuses what is no folder', async () => {
    const { state, host } = await judged({ 'home/app/file': '', 'home/app/nowhere': { link: 'missing' } })
    for (const folder of ['file', 'missing', 'nowhere', 'file/below'])
      await expect(trustFolder(state, folder, host), folder).rejects.toThrow(refusal('no such folder'))
  })

  it.runIf(isPosix)('refuses a folder that everybody may write to', async () => {
    const { state, host, project } = await judged()
    for (const mode of [0o777, 0o1777]) {
      chmodSync(project, mode)
      await expect(trustFolder(state, project, host)).rejects.toThrow(refusal('everybody'))
    }
  })

  it.runIf(isRoot)(
    'refuses a parent of the working folder that belongs to another user (given away by the superuser)',
    async () => {
      const { state, host, tree } = await judged({ 'srv/theirs/.git/HEAD': '', 'srv/theirs/mine/x': '' })
      chownSync(`${tree.path}/srv/theirs`, 65534, 65534)
      const below = { ...host, cwd: `${tree.path}/srv/theirs/mine`, uid: 1000 }
      for (const folder of ['..', `${tree.path}/srv/theirs`])
        await expect(trustFolder(state, folder, below), folder).rejects.toThrow(refusal('another user'))
      expect(await trustedFolders(state)).toEqual([])
      expect(await trustFolder(state, '.', below)).toMatchObject({ path: `${tree.path}/srv/theirs/mine` })
    },
  )

  it.runIf(isRoot)('refuses a folder that may not be looked at (without the rights of the superuser)', async () => {
    const { state, host, project } = await judged({ 'home/app/closed/inner': { dir: true } })
    chmodSync(`${project}/closed`, 0o700)
    await withoutRoot(async () => {
      await expect(trustFolder(state, 'closed/inner', host)).rejects.toThrow(refusal('may not be read'))
    })
  })
})

describe('revokeFolder', () => {
  it('revokes the folder and those in it, and says what still trusts it', async () => {
    const { state, host, project } = await judged({
      'home/app/apps/web': { dir: true },
      'home/app/apps-2': { dir: true },
      'home/other': { dir: true },
    })
    const since = host.clock.now()
    for (const folder of ['.', 'apps', 'apps/web', 'apps-2', '../other']) await trustFolder(state, folder, host)
    const items: readonly never[] = []
    expect(await revokeFolder(state, 'apps', host)).toEqual({
      revoked: [
        { path: `${project}/apps`, since, items },
        { path: `${project}/apps/web`, since, items },
      ],
      stillTrustedBy: { path: project, since, items },
    })
    expect((await trustedFolders(state)).map(({ path }) => path)).toEqual([
      project,
      `${project}/apps-2`,
      project.replace(/app$/, 'other'),
    ])
    expect(await revokeFolder(state, '.', host)).toMatchObject({
      revoked: [{ path: project }, { path: `${project}/apps-2` }],
      stillTrustedBy: undefined,
    })
    expect(await revokeFolder(state, '.', host)).toEqual({ revoked: [], stillTrustedBy: undefined })
  })

  it('revokes a folder that is not there any more', async () => {
    const { state, host, project, tree } = await judged({ 'home/app/gone': { dir: true } })
    await trustFolder(state, 'gone', host)
    tree.remove('home/app/gone')
    expect(await revokeFolder(state, 'gone', host)).toMatchObject({ revoked: [{ path: `${project}/gone` }] })
    expect(await trustedFolders(state)).toEqual([])
  })
})
