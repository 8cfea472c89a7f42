import { fakeHost, tempTree } from '@skills/testing'
import { expect, onTestFinished, test } from 'vitest'
import { skillsHere } from './skills-here.js'

const skill = '---\ndescription: x\n---\nx\n'

function here(files: Readonly<Record<string, string>>, cwd: string, home = 'home'): readonly string[] {
  const tree = tempTree({ ...files, [`${cwd}/.keep`]: '' })
  onTestFinished(() => tree.dispose())
  const host = fakeHost({ cwd: `${tree.path}/${cwd}`, home: `${tree.path}/${home}` })
  return skillsHere(host, { places: [] }).map(({ kind, path }) => `${kind} ${path.slice(tree.path.length + 1)}`)
}

test('the nearest folder of the repository that has skills is recognized, and none above the repository', () => {
  const files = { 'kit/.git/HEAD': '', 'kit/.claude-plugin/plugin.json': '{}', 'other/SKILL.md': skill }
  expect(here(files, 'kit/src/deep')).toEqual(['plugin kit'])
  expect(here({ ...files, 'work/.git/HEAD': '' }, 'work/src')).toEqual([])
})

test('without a repository, folders beside the working folder are the skills of someone else', () => {
  expect(here({ 'tmp/other/SKILL.md': skill }, 'tmp/work')).toEqual([])
  expect(here({ 'tmp/work/a/SKILL.md': skill }, 'tmp/work')).toEqual(['skills tmp/work'])
  expect(here({ 'home/kit/.claude-plugin/plugin.json': '{}' }, 'home/kit/src')).toEqual(['plugin home/kit'])
})
