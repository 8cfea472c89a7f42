import { rmdirSync, symlinkSync } from 'node:fs'
import { tempTree, type TreeEntries } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { skillFoldersIn } from './skill-folders-in.js'

function foundIn(entries: TreeEntries, prepare: (path: string) => void = () => {}): readonly string[] {
  const tree = tempTree({ top: { dir: true }, ...entries })
  onTestFinished(() => tree.dispose())
  prepare(tree.path)
  return skillFoldersIn(`${tree.path}/top`).map(path => path.slice(tree.path.length + 1))
}

test('are "skills", or the folder itself, and hidden folders in it that hold skills', () => {
  expect(foundIn({ 'top/skills/a/SKILL.md': 'a' })).toEqual(['top/skills'])
  expect(
    foundIn({ 'top/skills/group/a/SKILL.md': 'a', 'top/skills/.curated/b/SKILL.md': 'b', 'top/skills/.git/x': 'x' }),
  ).toEqual(['top/skills', 'top/skills/.curated'])
  expect(foundIn({ 'top/skills/.curated/b/SKILL.md': 'b', 'top/skills/.system/c/SKILL.md': 'c' })).toEqual([
    'top/skills/.curated',
    'top/skills/.system',
  ])
  expect(foundIn({ 'top/a/SKILL.md': 'a', 'top/.more/b/SKILL.md': 'b' })).toEqual(['top', 'top/.more'])
  expect(foundIn({ 'top/src/x.ts': 'x', 'top/.more/b/c/SKILL.md': 'b' })).toEqual([])
  expect(foundIn({ 'top/skills': 'a file' })).toEqual([])
  expect(foundIn({}, path => rmdirSync(`${path}/top`))).toEqual([])
})

test('lie in the folder: no link leads out of it', () => {
  const outside = { 'outside/a/SKILL.md': 'a', 'outside/.b/c/SKILL.md': 'c' }
  expect(foundIn(outside, path => symlinkSync(`${path}/outside`, `${path}/top/skills`))).toEqual([])
  expect(
    foundIn({ ...outside, 'top/real/a/SKILL.md': 'a' }, path => symlinkSync('real', `${path}/top/skills`)),
  ).toEqual(['top/skills'])
})
