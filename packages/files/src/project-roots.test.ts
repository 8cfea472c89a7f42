import { chownSync, existsSync, rmSync } from 'node:fs'
import { fakeHost, withoutRoot } from '@skills/testing'
import { describe, expect, it } from 'vitest'
import { temporary } from '../test/text-tree.js'
import { findProjectFolders, realFolders, type ProjectFolders } from './project-roots.js'

const isRoot = process.getuid?.() === 0
const uid = process.getuid?.()

/** Returns the folders found from a folder of a temporary tree, relative to the tree. */
function find(
  base: string,
  cwd: string,
  home = 'nowhere',
): Pick<ProjectFolders, 'folders' | 'top' | 'skipped'> & { codes: readonly string[] } {
  const { folders, top, skipped, diagnostics } = findProjectFolders(
    fakeHost({ cwd: `${base}/${cwd}`, home: `${base}/${home}`, uid }),
  )
  const short = (path: string): string => (path === base ? '.' : path.replace(`${base}/`, ''))
  return {
    folders: folders.map(short),
    top: short(top),
    skipped: skipped.map(short),
    codes: diagnostics.map(({ code }) => code),
  }
}

describe('the folders of a project', () => {
  it('go from the working folder up to the one that holds .git, nearest first', () => {
    const { path } = temporary({ 'a/repo/.git/HEAD': '', 'a/repo/apps/web/x': '' })
    expect(find(path, 'a/repo/apps/web')).toEqual({
      folders: ['a/repo/apps/web', 'a/repo/apps', 'a/repo'],
      top: 'a/repo',
      skipped: [],
      codes: [],
    })
    expect(find(path, 'a/repo')).toMatchObject({ folders: ['a/repo'], top: 'a/repo' })
  })

  it('end at a worktree, where .git is a file', () => {
    const { path } = temporary({
      'repo/.git/HEAD': '',
      'repo/trees/one/.git': 'gitdir: ../../.git/worktrees/one',
      'repo/trees/one/src/x': '',
    })
    expect(find(path, 'repo/trees/one/src')).toMatchObject({
      folders: ['repo/trees/one/src', 'repo/trees/one'],
      top: 'repo/trees/one',
    })
  })

  it('end at the repository even where that is the home folder or lies above it', () => {
    const { path } = temporary({ '.git/HEAD': '', 'home/work/x': '' })
    expect(find(path, 'home/work', 'home')).toMatchObject({ folders: ['home/work', 'home', '.'], top: '.' })
    expect(find(path, 'home/work', '')).toMatchObject({ folders: ['home/work', 'home', '.'], top: '.' })
  })

  it('without a repository go up to the home folder, which is not one of them', () => {
    const { path } = temporary({ 'home/work/deep/x': '' })
    expect(find(path, 'home/work/deep', 'home')).toMatchObject({
      folders: ['home/work/deep', 'home/work'],
      top: 'home/work',
    })
    expect(find(path, 'home/work/deep', 'home/')).toMatchObject({ folders: ['home/work/deep', 'home/work'] })
  })

  it('without a repository are the working folder alone outside the home folder', () => {
    const { path } = temporary({ 'srv/work/deep/x': '', 'home/x': '', 'home-of-another/work/x': '' })
    expect(find(path, 'srv/work/deep', 'home')).toMatchObject({ folders: ['srv/work/deep'], top: 'srv/work/deep' })
    expect(find(path, 'home-of-another/work', 'home')).toMatchObject({ folders: ['home-of-another/work'] })
  })

  it('are found below a home folder that is a link, however the working folder is written', () => {
    const { path } = temporary({ 'data/me/work/deep/x': '', home: { link: 'data/me' } })
    expect(find(path, 'data/me/work/deep', 'home').folders).toEqual(['data/me/work/deep', 'data/me/work'])
    expect(find(path, 'home/work/deep', 'home').folders).toEqual(['home/work/deep', 'home/work'])
    expect(find(path, 'data/me', 'home').folders).toEqual(['data/me'])
  })

  it('are the home folder alone when one works there', () => {
    const { path } = temporary({ 'home/x': '' })
    expect(find(path, 'home', 'home')).toEqual({ folders: ['home'], top: 'home', skipped: [], codes: [] })
    expect(find(path, 'home/', 'home')).toMatchObject({ folders: ['home'] })
  })

  it('are the working folder alone where there is no home folder', () => {
    const { path } = temporary({ 'work/deep/x': '' })
    expect(findProjectFolders(fakeHost({ cwd: `${path}/work/deep`, home: '' })).folders).toEqual([`${path}/work/deep`])
  })

  it('are those of the folder that a file lies in', () => {
    const { path } = temporary({ 'repo/.git/HEAD': '', 'repo/src/main.ts': '' })
    expect(find(path, 'repo/src/main.ts')).toMatchObject({ folders: ['repo/src', 'repo'], codes: [] })
  })

  it('are found although the working folder was deleted, with a warning', () => {
    const { path } = temporary({ 'repo/.git/HEAD': '', 'repo/gone/x': '' })
    rmSync(`${path}/repo/gone`, { recursive: true })
    expect(find(path, 'repo/gone')).toEqual({
      folders: ['repo/gone', 'repo'],
      top: 'repo',
      skipped: [],
      codes: ['no-working-folder'],
    })
  })

  it('are found although the working folder may not be looked at, with an error', async () => {
    const { path } = temporary({ 'closed/work/x': '', closed: { dir: true, mode: 0 } })
    expect(await withoutRoot(async () => find(path, 'closed/work'))).toMatchObject({
      folders: ['closed/work'],
      codes: ['unreadable'],
    })
  })

  it.each(['repo/src/', 'repo/src//', 'repo//src', 'repo/./src', 'repo/other/../src'])(
    'are written plainly for %s',
    cwd => {
      const { path } = temporary({ 'repo/.git/HEAD': '', 'repo/src/x': '', 'repo/other/x': '' })
      expect(find(path, cwd).folders).toEqual(['repo/src', 'repo'])
    },
  )

  it('of the topmost folder are that folder alone', () => {
    expect(existsSync('/.git')).toBe(false)
    expect(findProjectFolders(fakeHost({ cwd: '/', home: '/home/user' }))).toEqual({
      folders: ['/'],
      top: '/',
      diagnostics: [],
      skipped: [],
    })
    expect(findProjectFolders(fakeHost({ cwd: '/', home: '/' })).folders).toEqual(['/'])
  })

  it.runIf(isRoot)('leave out a parent that belongs to another user (given away by the superuser)', () => {
    const { path } = temporary({ 'repo/.git/HEAD': '', 'repo/theirs/mine/x': '' })
    chownSync(`${path}/repo/theirs`, 65534, 65534)
    const { diagnostics, ...found } = findProjectFolders(fakeHost({ cwd: `${path}/repo/theirs/mine`, uid: 1000 }))
    expect(found).toEqual({
      folders: [`${path}/repo/theirs/mine`, `${path}/repo`],
      top: `${path}/repo`,
      skipped: [`${path}/repo/theirs`],
    })
    expect(diagnostics).toEqual([
      expect.objectContaining({
        severity: 'warning',
        type: 'traversal',
        code: 'foreign-parent',
        path: `${path}/repo/theirs`,
      }),
    ])
  })

  it.runIf(isRoot)(
    'keep the working folder itself a caller that owns it, and a parent of the user or of the superuser',
    () => {
      const { path } = temporary({ 'repo/.git/HEAD': '', 'repo/mine/theirs/x': '' })
      chownSync(`${path}/repo/mine/theirs`, 65534, 65534)
      chownSync(`${path}/repo/mine`, 1000, 1000)
      expect(findProjectFolders(fakeHost({ cwd: `${path}/repo/mine/theirs`, uid: 1000 })).folders).toHaveLength(3)
      expect(findProjectFolders(fakeHost({ cwd: `${path}/repo/mine/theirs`, uid: 1001 })).skipped).toEqual([
        `${path}/repo/mine`,
      ])
    },
  )

  it('leave out a parent that everybody may write to, as to a temporary folder', () => {
    const { path } = temporary({ 'shared/.git/HEAD': '', 'shared/mine/x': '', shared: { dir: true, mode: 0o1777 } })
    expect(find(path, 'shared/mine')).toEqual({
      folders: ['shared/mine'],
      top: 'shared/mine',
      skipped: ['shared'],
      codes: ['foreign-parent'],
    })
    expect(find(path, 'shared').skipped).toEqual([])
  })

  it.runIf(isRoot)('take nothing from a repository of another user, not even where the project ends', () => {
    const { path } = temporary({ 'home/me/theirs/.git/HEAD': '', 'home/me/theirs/mine/deep/x': '' })
    chownSync(`${path}/home/me/theirs`, 65534, 65534)
    const found = (home: string, reach?: 'home') => {
      const { folders, top, skipped, diagnostics } = findProjectFolders(
        fakeHost({ cwd: `${path}/home/me/theirs/mine/deep`, home, uid: 1000 }),
        reach,
      )
      return {
        folders: folders.map(one => one.slice(path.length)),
        top: top.slice(path.length),
        skipped: skipped.map(one => one.slice(path.length)),
        codes: diagnostics.map(({ code }) => code),
      }
    }
    const seen = { skipped: ['/home/me/theirs'], codes: ['foreign-parent'] }
    expect(found('')).toEqual({ folders: ['/home/me/theirs/mine/deep'], top: '/home/me/theirs/mine/deep', ...seen })
    const own = ['/home/me/theirs/mine/deep', '/home/me/theirs/mine']
    expect(found(`${path}/home/me`)).toEqual({ folders: own, top: '/home/me/theirs/mine', ...seen })
    expect(found(`${path}/home/me`, 'home')).toEqual({ folders: own, top: '/home/me/theirs/mine', ...seen })
  })

  it.runIf(isRoot)('are not asked for their owner where the platform has no user ids', () => {
    const { path } = temporary({ 'repo/.git/HEAD': '', 'repo/theirs/mine/x': '' })
    chownSync(`${path}/repo/theirs`, 65534, 65534)
    expect(findProjectFolders(fakeHost({ cwd: `${path}/repo/theirs/mine`, uid: undefined })).skipped).toEqual([])
  })
})

describe('real folders', () => {
  it('are those that exist, with every link resolved, each once', () => {
    const { path } = temporary({ 'real/x': '', link: { link: 'real' }, loop: { link: 'loop' } })
    expect(realFolders([`${path}/link`, `${path}/real`, `${path}/nowhere`, `${path}/loop`])).toEqual([`${path}/real`])
  })
})

describe('how far up a project goes', () => {
  const folders = (path: string, cwd: string, reach: 'repository' | 'home' | 'working-folder') =>
    findProjectFolders(fakeHost({ cwd: `${path}/${cwd}`, home: `${path}/home`, uid }), reach).folders.map(folder =>
      folder.slice(path.length + 1),
    )

  it('is to the repository, or to the home folder across it, or nowhere', () => {
    const { path } = temporary({ 'home/work/repo/.git/HEAD': '', 'home/work/repo/sub/x': '' })
    expect(folders(path, 'home/work/repo/sub', 'repository')).toEqual(['home/work/repo/sub', 'home/work/repo'])
    expect(folders(path, 'home/work/repo/sub', 'home')).toEqual(['home/work/repo/sub', 'home/work/repo', 'home/work'])
    expect(folders(path, 'home/work/repo/sub', 'working-folder')).toEqual(['home/work/repo/sub'])
  })

  it('is the working folder outside of the home folder, in any repository', () => {
    const { path } = temporary({ 'home/x': '', 'srv/repo/.git/HEAD': '', 'srv/repo/sub/x': '' })
    expect(folders(path, 'srv/repo/sub', 'home')).toEqual(['srv/repo/sub'])
  })
})
