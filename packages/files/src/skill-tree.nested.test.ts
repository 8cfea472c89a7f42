import fc from 'fast-check'
import { tempTree } from '@skills/testing'
import { describe, expect, it } from 'vitest'
import { problemsIn, temporary, textTree } from '../test/text-tree.js'

describe.each(['auto', 'callbacks'] as const)('a tree of nested skills, reading with %s,', reads => {
  it('has skills below skills, each by the name of its folder, and none at the root', async () => {
    const { path } = temporary({
      'SKILL.md': 'root',
      'a/SKILL.md': 'a',
      'a/b/SKILL.md': 'b',
      'c/d/SKILL.md': 'd',
      'c/readme.md': '',
    })
    const names: string[] = []
    const state = await textTree(path, {
      reads,
      nested: true,
      onRead: ({ name, folder }) => names.push(`${folder.slice(path.length)} ${name}`),
    }).scan()
    expect(state.items.map(({ text }) => text)).toEqual(['a', 'b', 'd'])
    expect(names.toSorted()).toEqual(['/a a', '/a/b b', '/c/d d'])
  })

  it('enters hidden folders and those of packages where it is told to', async () => {
    const { path } = temporary({ '.h/SKILL.md': 'h', 'node_modules/n/SKILL.md': 'n', 'a/SKILL.md': 'a' })
    const texts = async (skipped: readonly ('hidden' | 'node_modules')[]) =>
      (await textTree(path, { reads, nested: true, skipped }).scan()).items.map(({ text }) => text).sort()
    expect([await texts([]), await texts(['hidden']), await texts(['node_modules'])]).toEqual([
      ['a', 'h', 'n'],
      ['a', 'n'],
      ['a', 'h'],
    ])
  })

  it('tells of a file in another case, where none is named as it should be', async () => {
    const { path } = temporary({ 'a/skill.md': 'a', 'a/b/SKILL.md': 'b', 'a/b/Skill.md': 'B' })
    const state = await textTree(path, { reads, nested: true }).scan()
    expect(state.items.map(({ text }) => text)).toEqual(['b'])
    expect(problemsIn(state, path)).toEqual(['warning near-miss a/skill.md'])
  })

  it('counts folders and not their files, the root among them', async () => {
    const tree = temporary({ 'a/SKILL.md': 'a', 'b/SKILL.md': 'b', 'c/SKILL.md': 'c' })
    const known = textTree(tree.path, { reads, nested: true, folders: 4 })
    expect((await known.scan()).problems).toEqual([])
    tree.write({ 'd/SKILL.md': 'd' })
    expect(problemsIn(await known.rescan(), tree.path)).toEqual([`error folder-limit ${tree.path}`])
    tree.remove('a')
    expect(await known.rescan()).toMatchObject({ problems: [] })
  })
})

it('after any changes of a tree of nested skills a rescan gives what a scan from the beginning gives', async () => {
  const path = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 }).map(names => names.join('/'))
  await fc.assert(
    fc.asyncProperty(
      fc.array(path, { maxLength: 6 }),
      fc.array(path, { maxLength: 4 }),
      fc.array(path, { maxLength: 3 }),
      fc.constantFrom(3, 5, 100),
      async (first, added, removed, folders) => {
        const tree = tempTree({ 'skills/last/SKILL.md': 'last' })
        try {
          const options = { nested: true, folders }
          const known = textTree(`${tree.path}/skills`, options)
          for (const one of first) tree.write({ [`skills/${one}/SKILL.md`]: one })
          const before = await known.scan()
          tree.remove(...removed.map(one => `skills/${one}`))
          for (const one of added) tree.write({ [`skills/${one}/SKILL.md`]: `${one} anew` })
          const after = await known.rescan()
          const now = after ?? before
          // The folders that a limit leaves out depend on those that were there before.
          const wanted = folders === 100 ? await textTree(`${tree.path}/skills`, options).scan() : now
          expect([now, now.items.length < folders]).toEqual([wanted, true])
        } finally {
          tree.dispose()
        }
      },
    ),
    { numRuns: 60 },
  )
})
