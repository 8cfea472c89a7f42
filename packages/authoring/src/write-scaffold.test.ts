import { existsSync, lstatSync, readFileSync, readdirSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { writeScaffold } from './write-scaffold.js'

let tree: TempTree
afterEach(() => tree.dispose())

const files = [
  { path: 'SKILL.md', text: 'text\n' },
  { path: 'deep/er/other.md', text: 'more\n' },
]

async function write(entries: TreeEntries, folder = 'skills/new') {
  tree = tempTree(entries)
  return writeScaffold({ folder: `${tree.path}/${folder}`, files })
}

function everything(): readonly string[] {
  return readdirSync(tree.path, { recursive: true }).map(String).toSorted()
}

describe('a scaffold', () => {
  test('is written with all folders on the way, and nothing else is left', async () => {
    expect(await write({})).toEqual({
      files: [`${tree.path}/skills/new/SKILL.md`, `${tree.path}/skills/new/deep/er/other.md`],
    })
    expect(everything()).toEqual([
      'skills',
      'skills/new',
      'skills/new/SKILL.md',
      'skills/new/deep',
      'skills/new/deep/er',
      'skills/new/deep/er/other.md',
    ])
    expect(readFileSync(`${tree.path}/skills/new/SKILL.md`, 'utf8')).toBe('text\n')
  })

  test.each<[string, TreeEntries]>([
    ['a skill', { 'skills/new/SKILL.md': 'mine' }],
    ['a plugin', { 'skills/new/.claude-plugin/plugin.json': '{}' }],
    ['an empty folder', { 'skills/new': { dir: true } }],
    ['a folder with 2 entries in it', { 'skills/new/a': '', 'skills/new/b': '' }],
    ['a folder with 1 entry in it', { 'skills/new/a': '' }],
    ['a file', { 'skills/new': 'mine' }],
    ['a link to ../elsewhere', { 'skills/new': { link: '../elsewhere' }, elsewhere: { dir: true } }],
    ['a link to nowhere', { 'skills/new': { link: 'nowhere' } }],
  ])('never takes the place of %s', async (what, entries) => {
    tree = tempTree(entries)
    const before = everything()
    expect(await writeScaffold({ folder: `${tree.path}/skills/new`, files })).toEqual({
      problem: {
        severity: 'error',
        type: 'io',
        code: 'already-there',
        path: `${tree.path}/skills/new`,
        hint: 'Choose another name or folder, or remove the existing one first.',
        message: `There is ${what} at ${tree.path}/skills/new already, and nothing is overwritten.`,
      },
    })
    expect(everything()).toEqual(before)
  })

  test('that several begin at once is written by one of them, whole', async () => {
    tree = tempTree()
    const folder = `${tree.path}/skills/new`
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        writeScaffold({ folder, files: files.map(({ path }) => ({ path, text: `${at}` })) }),
      ),
    )
    expect(results.filter(result => 'files' in result)).toHaveLength(1)
    expect(results.flatMap(result => ('problem' in result ? [result.problem.code] : []))).toEqual(
      Array.from({ length: 7 }, () => 'already-there'),
    )
    expect(readFileSync(`${folder}/SKILL.md`, 'utf8')).toBe(readFileSync(`${folder}/deep/er/other.md`, 'utf8'))
    expect(readdirSync(`${tree.path}/skills`)).toEqual(['new'])
  })

  test('that fails midway leaves nothing, not even the folders that were made for it', async () => {
    tree = tempTree({ kept: { dir: true } })
    const impossible = [...files, { path: 'SKILL.md/below-a-file.md', text: 'x' }]
    expect(await writeScaffold({ folder: `${tree.path}/kept/a/b/new`, files: impossible })).toMatchObject({
      problem: {
        code: 'not-written',
        path: `${tree.path}/kept/a/b/new`,
        message: expect.stringMatching(/a folder\.$/),
      },
    })
    expect(everything()).toEqual(['kept'])
  })

  test('keeps a folder above it that holds other files by then', async () => {
    tree = tempTree()
    const abort = new AbortController()
    const last = {
      path: 'last.md',
      get text() {
        tree.write({ 'a/theirs': 'x' })
        abort.abort()
        return 'x'
      },
    }
    await expect(
      writeScaffold({ folder: `${tree.path}/a/b/new`, files: [...files, last] }, { signal: abort.signal }),
    ).rejects.toMatchObject({ name: 'AbortError' })
    expect(everything()).toEqual(['a', 'a/theirs'])
  })

  test('below a file, or below a link to nothing, is refused with the reason', async () => {
    expect(await write({ skills: 'a file' })).toMatchObject({
      problem: { code: 'not-written', message: expect.stringContaining('is not a folder') },
    })
    tree.dispose()
    expect(await write({ skills: { link: 'nowhere' } })).toMatchObject({ problem: { code: 'not-written' } })
    expect(lstatSync(`${tree.path}/skills`).isSymbolicLink()).toBe(true)
    expect(existsSync(`${tree.path}/nowhere`)).toBe(false)
  })

  test.runIf(process.platform === 'linux')('where the system makes no folders is refused, however deep', async () => {
    tree = tempTree()
    for (const folder of ['/proc/new', '/proc/a/b/new'])
      expect(await writeScaffold({ folder, files })).toMatchObject({ problem: { code: 'not-written', path: folder } })
  })

  test('whose name the file system cannot hold is refused with the reason', async () => {
    expect(await write({}, `made/${'n'.repeat(300)}`)).toMatchObject({
      problem: { code: 'not-written', message: expect.stringContaining('too long') },
    })
    expect(everything()).toEqual([])
  })

  test('that no one wants any more is not begun', async () => {
    tree = tempTree()
    await expect(
      writeScaffold({ folder: `${tree.path}/skills/new`, files }, { signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({ name: 'AbortError' })
    expect(everything()).toEqual([])
  })
})
