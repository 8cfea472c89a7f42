import { execFileSync } from 'node:child_process'
import { afterEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { filesBeside, type FilesBesideOptions } from './files-beside.js'

let tree: TempTree
afterEach(() => tree.dispose())

async function beside(entries: TreeEntries, options: FilesBesideOptions = {}) {
  tree = tempTree(entries)
  return filesBeside(tree.path, { except: `${tree.path}/SKILL.md`, ...options })
}

describe('the files beside a skill', () => {
  test('are told with their sizes, those of a folder before those of the folders in it', async () => {
    const { files, ...rest } = await beside({
      'SKILL.md': 'x',
      'b.txt': 'twelve bytes',
      'Z.md': '',
      'a/deep/one.md': 'x',
      'a/two.md': 'é',
      'c/three.md': 'x',
      empty: { dir: true },
    })
    expect(files).toEqual([
      { path: 'Z.md', kind: 'file', size: 0 },
      { path: 'b.txt', kind: 'file', size: 12 },
      { path: 'a/two.md', kind: 'file', size: 2 },
      { path: 'c/three.md', kind: 'file', size: 1 },
      { path: 'a/deep/one.md', kind: 'file', size: 1 },
    ])
    expect(rest).toEqual({ more: 0, leftOut: 0, isComplete: true, diagnostics: [] })
  })

  test('that are links are told as links, and nothing behind them is', async () => {
    const { files } = await beside({
      'SKILL.md': 'x',
      'inner/a.md': 'x',
      again: { link: 'inner' },
      out: { link: '/etc' },
      gone: { link: 'nowhere' },
    })
    expect(files).toEqual([
      { path: 'again', kind: 'link', target: 'inner' },
      { path: 'gone', kind: 'link', target: 'nowhere' },
      { path: 'out', kind: 'link', target: '/etc' },
      { path: 'inner/a.md', kind: 'file', size: 1 },
    ])
  })

  test('that are hidden or in node_modules are left out and counted', async () => {
    const { files, leftOut } = await beside({
      'SKILL.md': 'x',
      '.env': 'x',
      '.git/HEAD': 'x',
      '.git/config': 'x',
      'node_modules/a/index.js': 'x',
      'a/.hidden': 'x',
      'a/b.md': 'x',
    })
    expect([files.map(({ path }) => path), leftOut]).toEqual([['a/b.md'], 4])
  })

  test('that are no regular files are told and not opened', async () => {
    tree = tempTree({ 'SKILL.md': 'x' })
    execFileSync('mkfifo', [`${tree.path}/pipe`])
    expect((await filesBeside(tree.path)).files).toEqual([
      { path: 'SKILL.md', kind: 'file', size: 1 },
      { path: 'pipe', kind: 'other' },
    ])
  })

  test('that are too many are counted, and in the end not even that', async () => {
    const many = Object.fromEntries(Array.from({ length: 205 }, (_, at) => [`file-${String(at).padStart(3, '0')}`, '']))
    const told = await beside(many)
    expect([told.files.length, told.files.at(-1)?.path, told.more, told.isComplete]).toEqual([200, 'file-199', 5, true])
    expect(await filesBeside(tree.path, { most: 2, mostLooked: 10 })).toMatchObject({ more: 8, isComplete: false })
    expect(await filesBeside(tree.path, { mostLooked: 205 })).toMatchObject({ more: 5, isComplete: true })
  })

  test('that cannot be listed are a problem among the others', async () => {
    tree = tempTree({ file: 'x' })
    expect(await filesBeside(`${tree.path}/file`)).toMatchObject({
      files: [],
      diagnostics: [{ code: 'unreadable', path: `${tree.path}/file` }],
    })
  })

  test('are not looked for any longer once no one wants to know', async () => {
    tree = tempTree({ a: 'x' })
    await expect(filesBeside(tree.path, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
  })
})
