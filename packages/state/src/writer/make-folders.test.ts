import fs, { readdirSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeFolders as make } from './make-folders.js'

const makeFolders = (path: string, mode = 0o777): void => make(path, mode)

function temporary(entries: TreeEntries = {}): TempTree {
  const tree = tempTree(entries)
  onTestFinished(() => tree.dispose())
  return tree
}

const thrownBy = (work: () => void): unknown => {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}

describe('a folder', () => {
  test('is made with those missing above it, and one that is there stays as it is', () => {
    const { path } = temporary({ there: { dir: true } })
    makeFolders(`${path}/there/a/b`)
    makeFolders(`${path}/there/a/b`)
    expect(readdirSync(path, { recursive: true }).toSorted()).toEqual(['there', 'there/a', 'there/a/b'])
  })

  test.skipIf(process.platform === 'win32')('has the mode that is asked for, as those above it that are made', () => {
    const { path } = temporary({ there: { dir: true, mode: 0o755 } })
    makeFolders(`${path}/there/a/b`, 0o700)
    expect(['there', 'there/a', 'there/a/b'].map(name => statSync(`${path}/${name}`).mode & 0o777)).toEqual([
      0o755, 0o700, 0o700,
    ])
  })

  test('may be reached through links', () => {
    const { path } = temporary({ real: { dir: true }, link: { link: 'real' } })
    makeFolders(`${path}/link`)
    makeFolders(`${path}/link/a/b`)
    expect(readdirSync(`${path}/real`, { recursive: true }).toSorted()).toEqual(['a', 'a/b'])
  })

  test('is not made where something else is, nor behind a link to nothing', () => {
    const { path } = temporary({ file: 'mine', link: { link: 'nowhere' } })
    const codes = ['file', 'file/a', 'link', 'link/a'].map(name => thrownBy(() => makeFolders(`${path}/${name}`)))
    expect(codes).toMatchObject([{ code: 'EEXIST' }, { code: 'ENOTDIR' }, { code: 'EEXIST' }, { code: 'EEXIST' }])
    expect(readdirSync(path).toSorted()).toEqual(['file', 'link'])
  })

  test('that another process makes at the same moment serves', () => {
    const { path } = temporary()
    const { mkdirSync } = fs
    const restore = (): void => {
      fs.mkdirSync = mkdirSync
      syncBuiltinESMExports()
    }
    onTestFinished(restore)
    fs.mkdirSync = ((...all: Parameters<typeof mkdirSync>) => {
      mkdirSync(...all)
      return mkdirSync(...all)
    }) as typeof mkdirSync
    syncBuiltinESMExports()
    makeFolders(`${path}/a/b`)
    restore()
    expect(readdirSync(path, { recursive: true })).toEqual(['a', 'a/b'])
  })

  test.runIf(process.platform === 'linux')('is refused at once where the system makes none', () => {
    expect(['/proc/x', '/proc/x/y/z'].map(path => thrownBy(() => makeFolders(path)))).toMatchObject([
      { code: 'ENOENT' },
      { code: 'ENOENT', message: expect.stringContaining('/proc/x') },
    ])
  })
})
