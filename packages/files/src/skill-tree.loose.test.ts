import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { problemsIn, temporary, textTree } from '../test/text-tree.js'
import type { SkillTreeState } from './skill-tree.js'
import type { Seen } from '../test/text-tree.js'

function textsIn(state: SkillTreeState<Seen> | undefined): readonly string[] | undefined {
  return state?.items.map(({ text }) => text)
}

describe.each(['auto', 'callbacks'] as const)('a tree of loose files, reading with %s,', reads => {
  it('reads every Markdown file, in order with the folders, and hands over its name without the ending', async () => {
    const { path } = temporary({
      'b.md': 'b',
      'a/x.md': 'x',
      'a/SKILL.md': 'a',
      'c/d/e.MD': 'e',
      'c.txt': '',
      '.h.md': 'h',
      'node_modules/n.md': 'n',
      'z.md/y.md': 'y',
    })
    const found: string[] = []
    const { scan } = textTree(path, {
      reads,
      loose: true,
      onRead: ({ name, folder }) => found.push(`${folder.slice(path.length)} ${name}`),
    })
    expect(textsIn(await scan())).toEqual(['a', 'b', 'e', 'y'])
    expect(found.toSorted()).toEqual([' b', '/a a', '/c/d e', '/z.md y'])
  })

  it('follows a link to a file, and says where one leads nowhere or outside', async () => {
    const { path } = temporary({
      'out.md': 'out',
      'in/t.txt': 'text',
      'in/a.md': { link: 't.txt' },
      'in/b.md': { link: 'none' },
      'in/c.md': { link: '../out.md' },
    })
    const state = await textTree(`${path}/in`, { reads, loose: true, within: [`${path}/in`] }).scan()
    expect(textsIn(state)).toEqual(['text'])
    expect(problemsIn(state, `${path}/in`)).toEqual(['error dangling-link b.md', 'error link-escapes c.md'])
  })

  it('reads the files at the deepest level, not the folders below', async () => {
    const { path } = temporary({ 'a/b/x.md': 'x', 'a/b/c/y.md': 'y' })
    const state = await textTree(path, { reads, loose: true, depth: 2 }).scan()
    expect(textsIn(state)).toEqual(['x'])
    expect(problemsIn(state, path)).toEqual([`error depth-limit ${path}`])
  })

  it('notices what comes, goes, changes and turns into a folder, and reads nothing else', async () => {
    const tree = temporary({ 'a.md': 'a', 'b.md': 'b', 'c/d.md': 'd' })
    const { scan, rescan, reads: files } = textTree(tree.path, { reads, loose: true })
    expect(textsIn(await scan())).toEqual(['a', 'b', 'd'])
    files.length = 0
    expect(await rescan()).toBeUndefined()
    tree.write({ 'a.md': 'longer', 'c/e.md': 'e' })
    expect(textsIn(await rescan())).toEqual(['longer', 'b', 'd', 'e'])
    expect(files.toSorted()).toEqual(['a.md', 'c/e.md'])
    renameSync(`${tree.path}/b.md`, `${tree.path}/f.md`)
    expect(textsIn(await rescan([`${tree.path}/f.md`, `${tree.path}/b.md`]))).toEqual(['longer', 'd', 'e', 'b'])
    rmSync(`${tree.path}/a.md`)
    mkdirSync(`${tree.path}/a.md`)
    tree.write({ 'a.md/SKILL.md': 'skill' })
    expect(textsIn(await rescan())).toEqual(['skill', 'd', 'e', 'b'])
  })
})

it('a tree of skills leaves Markdown files alone', async () => {
  const { path } = temporary({ 'a.md': 'a', 'b/SKILL.md': 'b', 'c/x.md': 'x' })
  expect(textsIn(await textTree(path).scan())).toEqual(['b'])
})
