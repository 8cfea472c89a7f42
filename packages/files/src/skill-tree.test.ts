import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { foundIn, later, problemsIn, temporary, textTree, type Seen } from '../test/text-tree.js'
import { withoutRoot } from '@skills/testing'
import { SkillTree } from './skill-tree.js'

const nested = {
  'deploy/SKILL.md': 'deploy',
  'group/lint/SKILL.md': 'lint',
  'group/notes.md': 'no skill',
  'group/deeper/test/SKILL.md': 'test',
  'empty/readme.md': 'no skill',
}

describe('where skills are found', () => {
  it('takes the direct child folders alone in flat mode', async () => {
    const { path } = temporary(nested)
    const state = await textTree(path, { walk: 'flat' }).scan()
    expect(foundIn(state)).toEqual(['deploy'])
    expect(state).toMatchObject({ root: 'read', problems: [] })
  })

  it('searches every folder in deep mode', async () => {
    const { path } = temporary(nested)
    const state = await textTree(path).scan()
    expect(foundIn(state)).toEqual(['deploy', 'group/deeper/test', 'group/lint'])
    expect(state.problems).toEqual([])
  })

  it('hands over name, folder, path and identity of each file', async () => {
    const { path } = temporary({ 'group/lint/SKILL.md': 'four' })
    const files: unknown[] = []
    await textTree(path, {
      onRead: ({ name, folder, path: file, identity }) => files.push({ name, folder, path: file, identity }),
    }).scan()
    expect(files).toEqual([
      {
        name: 'lint',
        folder: `${path}/group/lint`,
        path: `${path}/group/lint/SKILL.md`,
        identity: expect.objectContaining({ realPath: `${path}/group/lint/SKILL.md`, size: 4 }),
      },
    ])
  })

  it('does not descend into a folder that has a SKILL.md', async () => {
    const { path } = temporary({
      'outer/SKILL.md': 'outer',
      'outer/inner/SKILL.md': 'inner',
      'outer/a/b/SKILL.md': 'b',
    })
    const { scan, reads } = textTree(path)
    expect(foundIn(await scan())).toEqual(['outer'])
    expect(reads).toEqual(['outer/SKILL.md'])
  })

  it('does not descend into a folder whose SKILL.md is broken', async () => {
    const { path } = temporary({ 'outer/SKILL.md': { dir: true }, 'outer/inner/SKILL.md': 'inner' })
    expect(foundIn(await textTree(path).scan())).toEqual([])
  })

  it.each([
    '.hidden/skill/SKILL.md',
    'node_modules/skill/SKILL.md',
    'group/.git/skill/SKILL.md',
    'group/node_modules/skill/SKILL.md',
  ])('passes over %s', async file => {
    const { path } = temporary({ [file]: 'not found', 'kept/SKILL.md': 'kept' })
    const { scan, reads } = textTree(path)
    const state = await scan()
    expect(foundIn(state)).toEqual(['kept'])
    expect(reads).toEqual(['kept/SKILL.md'])
    expect(state.problems).toEqual([])
  })

  it('passes over links whose name is hidden', async () => {
    const { path } = temporary({
      'kept/SKILL.md': 'kept',
      '.shadow': { link: 'nowhere' },
      node_modules: { link: 'kept' },
    })
    expect(await textTree(path).scan()).toMatchObject({ items: [{ relative: 'kept' }], problems: [] })
  })

  it('counts a missing root as missing and not as an error', async () => {
    const { path } = temporary()
    expect(await textTree(`${path}/nowhere`).scan()).toEqual({ root: 'missing', items: [], problems: [] })
  })

  it('counts a root below a file as missing', async () => {
    const { path } = temporary({ file: 'text' })
    expect(await textTree(`${path}/file/skills`).scan()).toMatchObject({ root: 'missing', problems: [] })
  })

  it('says so when the root is a file', async () => {
    const { path } = temporary({ skills: 'text' })
    const state = await textTree(`${path}/skills`).scan()
    expect(state).toMatchObject({ root: 'unreadable', items: [] })
    expect(problemsIn(state, path)).toEqual(['error unreadable skills'])
    expect(state.problems[0]?.message).toContain(`${path}/skills is not`)
  })

  it('reads an empty root', async () => {
    const { path } = temporary()
    expect(await textTree(path).scan()).toEqual({ root: 'read', items: [], problems: [] })
  })

  it('gives the same paths for a root with slashes at its end', async () => {
    const { path } = temporary({ 'deploy/SKILL.md': 'deploy' })
    const tree = new SkillTree<Seen>({
      root: `${path}//`,
      walk: 'deep',
      now: later,
      read: file => ({ relative: file.name, path: file.path, text: file.folder }),
    })
    expect((await tree.scan(new AbortController().signal)).items).toEqual([
      { relative: 'deploy', path: `${path}/deploy/SKILL.md`, text: `${path}/deploy` },
    ])
  })

  it('warns of a SKILL.md that lies directly in the root, and reads it not', async () => {
    const { path } = temporary({ 'SKILL.md': 'at the root', 'deploy/SKILL.md': 'deploy' })
    const { scan, reads } = textTree(path)
    const state = await scan()
    expect(foundIn(state)).toEqual(['deploy'])
    expect(problemsIn(state, path)).toEqual(['warning skill-at-root SKILL.md'])
    expect(reads).toEqual(['deploy/SKILL.md'])
  })

  it('never gives a path a backslash that its name does not have', async () => {
    const { path } = temporary(nested)
    const state = await textTree(path).scan()
    for (const item of state.items) expect(item.path).not.toContain('\\')
  })
})

describe('order', () => {
  const names = ['b', 'a', 'B', '_', 'a-b', 'a1', 'Z', 'é', 'z', '\u{1f600}', '￿', '10', '9']

  it('is by code unit, folder by folder', async () => {
    const { path } = temporary(Object.fromEntries(names.map(name => [`${name}/SKILL.md`, name])))
    expect(foundIn(await textTree(path).scan())).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)))
  })

  it('puts what lies in a folder where the folder stands', async () => {
    const { path } = temporary({ 'a/z/SKILL.md': '', 'a-b/SKILL.md': '', 'a/b/SKILL.md': '', 'Z/SKILL.md': '' })
    expect(foundIn(await textTree(path).scan())).toEqual(['Z', 'a/b', 'a/z', 'a-b'])
  })

  it.each(['auto', 'callbacks'] as const)(
    'is the same in any order folders were made, reading with %s',
    async reads => {
      const forwards = temporary(Object.fromEntries(names.map(name => [`${name}/SKILL.md`, name])))
      const backwards = temporary(Object.fromEntries(names.toReversed().map(name => [`${name}/SKILL.md`, name])))
      expect(foundIn(await textTree(forwards.path, { reads }).scan())).toEqual(
        foundIn(await textTree(backwards.path, { reads }).scan()),
      )
    },
  )
})

describe('limits', () => {
  it('leaves out folders below the depth, and says how many', async () => {
    const { path } = temporary({
      'a/SKILL.md': 'a',
      'b/c/SKILL.md': 'c',
      'b/d/e/SKILL.md': 'e',
      'b/d/f/SKILL.md': 'f',
      'b/d/file.txt': '',
    })
    const state = await textTree(path, { depth: 2 }).scan()
    expect(foundIn(state)).toEqual(['a', 'b/c'])
    expect(state.problems).toEqual([
      expect.objectContaining({ severity: 'error', type: 'traversal', code: 'depth-limit', path }),
    ])
    expect(state.problems[0]?.message).toMatch(/ 2 levels .* 2 folders\.$/)
  })

  it('finds a skill on the last level and none below it by default', async () => {
    const { path } = temporary({ '1/2/3/4/5/6/SKILL.md': 'six', '1/2/3/4/5/x/7/SKILL.md': 'seven' })
    const state = await textTree(path).scan()
    expect(foundIn(state)).toEqual(['1/2/3/4/5/6'])
    expect(problemsIn(state, path)).toEqual([`error depth-limit ${path}`])
  })

  it('says nothing of the depth where no folder is left out', async () => {
    const { path } = temporary({ 'a/b/SKILL.md': 'b', 'a/c/file.txt': '', 'a/c/link': { link: 'file.txt' } })
    expect((await textTree(path, { depth: 2 }).scan()).problems).toEqual([])
  })

  it('counts links to folders among what lies too deep', async () => {
    const { path } = temporary({ 'a/b/link': { link: '../../c' }, 'c/SKILL.md': 'c' })
    const state = await textTree(path, { depth: 2 }).scan()
    expect(state.problems.map(({ message }) => message)).toEqual([expect.stringMatching(/ a folder\.$/)])
  })

  it.each(['auto', 'callbacks'] as const)(
    'stops at the number of folders and counts what it leaves out, always the same, reading with %s',
    async reads => {
      const { path } = temporary({
        'a/1/SKILL.md': '',
        'a/2/SKILL.md': '',
        'a/3/SKILL.md': '',
        'b/1/SKILL.md': '',
        'b/2/SKILL.md': '',
        'c/SKILL.md': '',
      })
      const { scan } = textTree(path, { folders: 6, reads })
      for (let time = 0; time < 3; time++) {
        const state = await scan()
        // The root, its three folders and two more.
        expect(foundIn(state)).toEqual(['a/1', 'a/2', 'c'])
        expect(problemsIn(state, path)).toEqual([`error folder-limit ${path}`])
        expect(state.problems[0]?.message).toMatch(/^At least 3 folders below .* the limit is 6/)
      }
    },
  )

  it('looks at exactly as many folders as allowed without a word', async () => {
    const { path } = temporary({ 'a/SKILL.md': '', 'b/SKILL.md': '' })
    expect((await textTree(path, { folders: 3 }).scan()).problems).toEqual([])
    expect((await textTree(path, { folders: 2 }).scan()).problems).toHaveLength(1)
  })
})

describe('SKILL.md in another case', () => {
  it.each(['skill.md', 'Skill.md', 'SKILL.MD'])('loads %s with a warning', async name => {
    const { path } = temporary({ [`deploy/${name}`]: 'deploy' })
    const state = await textTree(path).scan()
    expect(state.items).toEqual([{ relative: 'deploy', path: `${path}/deploy/${name}`, text: 'deploy' }])
    expect(problemsIn(state, path)).toEqual([`warning other-case deploy/${name}`])
  })

  it('reports it and goes on below where that is wanted', async () => {
    const { path } = temporary({ 'deploy/skill.md': 'deploy', 'deploy/inner/SKILL.md': 'inner' })
    const { scan, reads } = textTree(path, { otherCase: 'report' })
    const state = await scan()
    expect(foundIn(state)).toEqual(['deploy/inner'])
    expect(reads).toEqual(['deploy/inner/SKILL.md'])
    expect(problemsIn(state, path)).toEqual(['warning near-miss deploy/skill.md'])
    expect(state.problems[0]).toMatchObject({ name: 'deploy', hint: expect.stringContaining('SKILL.md') })
  })

  it('reports a file of its own with another ending, where that is wanted too', async () => {
    const { path } = temporary({ 'a.MD': 'a', 'b.md': 'b', 'c.Md': { link: 'b.md' } })
    const { scan } = textTree(path, { loose: true, otherCase: 'report-all' })
    const state = await scan()
    expect(state.items.map(({ text }) => text)).toEqual(['b'])
    expect(problemsIn(state, path)).toEqual(['warning near-miss a.MD', 'warning near-miss c.Md'])
    expect((await textTree(path, { loose: true, otherCase: 'report' }).scan()).items).toHaveLength(3)
  })

  it('prefers the right name when both are there', async () => {
    const { path } = temporary({ 'deploy/skill.md': 'wrong', 'deploy/SKILL.md': 'right' })
    const state = await textTree(path).scan()
    expect(state.items).toMatchObject([{ text: 'right' }])
    expect(state.problems).toEqual([])
  })

  it('takes the right name as soon as it is there', async () => {
    const tree = temporary({ 'deploy/skill.md': 'wrong' })
    const { scan, rescan } = textTree(tree.path)
    await scan()
    tree.write({ 'deploy/SKILL.md': 'right' })
    expect(await rescan()).toMatchObject({ items: [{ text: 'right' }], problems: [] })
  })

  it('does not say that a folder of that name is loaded', async () => {
    const { path } = temporary({ 'deploy/skill.md': { dir: true } })
    const state = await textTree(path).scan()
    expect(state.items).toEqual([])
    expect(problemsIn(state, path)).toEqual(['error not-a-file deploy/skill.md'])
  })

  it('follows a link of that name', async () => {
    const { path } = temporary({ 'deploy/skill.md': { link: '../elsewhere.md' }, 'elsewhere.md': 'elsewhere' })
    const state = await textTree(path).scan()
    expect(state.items).toEqual([{ relative: 'deploy', path: `${path}/deploy/skill.md`, text: 'elsewhere' }])
    expect(problemsIn(state, path)).toEqual(['warning other-case deploy/skill.md'])
  })

  it('does not say that a dangling link of that name is loaded', async () => {
    const { path } = temporary({ 'deploy/skill.md': { link: 'nowhere' } })
    expect(problemsIn(await textTree(path).scan(), path)).toEqual(['error dangling-link deploy/skill.md'])
  })
})

describe('what may not be read', () => {
  const locked = {
    'file/SKILL.md': { content: 'secret', mode: 0 },
    'folder/inner/SKILL.md': 'secret',
    folder: { dir: true, mode: 0 },
    'good/SKILL.md': 'good',
  } as const

  it.each(['auto', 'callbacks'] as const)(
    'is an error entry for a file and a folder, and hides nothing else, reading with %s',
    async reads => {
      const tree = temporary({ ...locked })
      const state = await withoutRoot(() => textTree(tree.path, { reads }).scan())
      expect(foundIn(state)).toEqual(['good'])
      expect(problemsIn(state, tree.path)).toEqual(['error unreadable file/SKILL.md', 'error unreadable folder'])
      expect(state.problems[0]).toMatchObject({
        type: 'io',
        code: 'unreadable',
        name: 'file',
        path: `${tree.path}/file/SKILL.md`,
      })
      expect(state.problems[1]).toMatchObject({
        type: 'io',
        code: 'unreadable',
        name: 'folder',
        path: `${tree.path}/folder`,
      })
    },
  )

  it.runIf(process.platform === 'linux')(
    'is an error entry for a folder whose name is not UTF-8 (only Linux has such names)',
    async () => {
      const tree = temporary({ 'good/SKILL.md': 'good' })
      const name = Buffer.concat([Buffer.from(`${tree.path}/caf`), Buffer.from([0xe9])])
      mkdirSync(name)
      writeFileSync(Buffer.concat([name, Buffer.from('/SKILL.md')]), 'not found')
      onTestFinished(() => rmSync(name, { recursive: true }))
      const { scan, rescan } = textTree(tree.path)
      const state = await scan()
      expect(foundIn(state)).toEqual(['good'])
      expect(state.problems).toMatchObject([
        {
          severity: 'error',
          code: 'unreadable',
          path: `${tree.path}/caf\ufffd`,
          message: expect.stringContaining('not UTF-8'),
        },
      ])
      expect(await rescan()).toBeUndefined()
    },
  )

  it('is an error for a root', async () => {
    const tree = temporary({ 'skills/a/SKILL.md': 'a', skills: { dir: true, mode: 0 } })
    const state = await withoutRoot(() => textTree(`${tree.path}/skills`).scan())
    expect(state).toMatchObject({ root: 'unreadable', items: [] })
    expect(problemsIn(state, tree.path)).toEqual(['error unreadable skills'])
  })

  it('is an error for a root below a folder that may not be entered', async () => {
    const tree = temporary({ 'closed/skills/a/SKILL.md': 'a', closed: { dir: true, mode: 0 } })
    const state = await withoutRoot(() => textTree(`${tree.path}/closed/skills`).scan())
    expect(state).toMatchObject({ root: 'unreadable', items: [] })
    expect(problemsIn(state, tree.path)).toEqual(['error unreadable closed/skills'])
  })

  it('is found again by a rescan once it may be read', async () => {
    const tree = temporary({ ...locked })
    const { scan, rescan } = textTree(tree.path)
    await withoutRoot(() => scan())
    expect(await withoutRoot(() => rescan())).toBeUndefined()
    chmodSync(`${tree.path}/file/SKILL.md`, 0o644)
    chmodSync(`${tree.path}/folder`, 0o755)
    const state = await withoutRoot(() => rescan())
    expect(foundIn(state)).toEqual(['file', 'folder/inner', 'good'])
    expect(state?.problems).toEqual([])
  })
})
