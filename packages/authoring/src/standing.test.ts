import { afterEach, expect, test } from 'vitest'
import { createSkills } from '@skills/core'
import { fileSource } from '@skills/files/source'
import { tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { standingOf } from './standing.js'

let tree: TempTree
afterEach(() => tree.dispose())

const skill = (description: string, more = ''): string => `---\ndescription: ${description}\n${more}---\nx`

/** Returns the standing of the file at `path`; the user's skills have precedence over the project's. */
async function standing(entries: TreeEntries, path: string) {
  tree = tempTree(entries)
  const source = (id: 'user' | 'project') =>
    fileSource({ id, source: id, roots: () => ({ roots: [{ path: `${tree.path}/${id}` }] }) })
  const skills = createSkills({ plugins: [source('user'), source('project')], onDiagnostic: () => {} })
  try {
    const found = standingOf(await skills.catalog(), `${tree.path}/${path}`)
    return (
      found && {
        goesBy: found.goesBy,
        lostTo: found.lostTo?.winner.command.source,
        wonOver: found.wonOver.map(({ reachableAs }) => reachableAs),
        alsoNamed: found.alsoNamed.map(({ name }) => name),
      }
    )
  } finally {
    await skills.close()
  }
}

const both = { 'user/deploy/SKILL.md': skill('mine'), 'project/deploy/SKILL.md': skill('ours') }

test('a skill that no one rivals goes by its name', async () => {
  expect(await standing({ 'user/deploy/SKILL.md': skill('x') }, 'user/deploy/SKILL.md')).toEqual({
    goesBy: 'deploy',
    lostTo: undefined,
    wonOver: [],
    alsoNamed: [],
  })
})

test('of two of one name the winner knows whom it shadows, and the loser by whom it is shadowed', async () => {
  expect(await standing(both, 'user/deploy/SKILL.md')).toMatchObject({ goesBy: 'deploy', wonOver: ['project:deploy'] })
  tree.dispose()
  expect(await standing(both, 'project/deploy/SKILL.md')).toEqual({
    goesBy: 'project:deploy',
    lostTo: 'user',
    wonOver: [],
    alsoNamed: [],
  })
})

test('a copy of another has no name of its own', async () => {
  expect(
    await standing(
      { 'user/deploy/SKILL.md': skill('x'), 'project/deploy/SKILL.md': skill('x') },
      'project/deploy/SKILL.md',
    ),
  ).toMatchObject({ goesBy: undefined, lostTo: 'user' })
})

test('those that answered to its name by an alias or a display name are told', async () => {
  const entries = {
    'user/ship/SKILL.md': skill('x', 'aliases: [deploy]\n'),
    'user/send/SKILL.md': skill('y', 'name: deploy\n'),
    'project/deploy/SKILL.md': skill('z'),
  }
  expect(await standing(entries, 'project/deploy/SKILL.md')).toMatchObject({
    goesBy: 'deploy',
    alsoNamed: ['send', 'ship'],
  })
})

test('a file is the same by any path that leads to it, and one that no source knows has no standing', async () => {
  const entries = { ...both, link: { link: 'project' }, 'other/deploy/SKILL.md': skill('x') }
  expect(await standing(entries, 'link/deploy/SKILL.md')).toMatchObject({ goesBy: 'project:deploy' })
  tree.dispose()
  expect(await standing(entries, 'other/deploy/SKILL.md')).toBeUndefined()
  tree.dispose()
  expect(await standing(entries, 'nowhere/SKILL.md')).toBeUndefined()
})
