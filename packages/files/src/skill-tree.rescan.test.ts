import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { foundIn, problemsIn, temporary, textTree } from '../test/text-tree.js'

const three = { 'a/SKILL.md': 'a', 'group/b/SKILL.md': 'b', 'group/c/SKILL.md': 'c' }

// Both ways of reading must notice the same.
describe.each(['auto', 'callbacks'] as const)('a rescan, reading with %s,', reads => {
  it('gives undefined and reads nothing when nothing changed', async () => {
    const { path } = temporary({ ...three, 'd/skill.txt': '' })
    const { scan, rescan, reads: files } = textTree(path, { reads })
    await scan()
    files.length = 0
    expect(await rescan()).toBeUndefined()
    expect(await rescan()).toBeUndefined()
    expect(files).toEqual([])
  })

  it('gives undefined for problems that are the same as before', async () => {
    const { path } = temporary({
      ...three,
      x: { link: 'nowhere' },
      'y/SKILL.md': { dir: true },
      'z/SKILL.md': { link: '../nowhere' },
      'SKILL.md': '',
      'small/skill.md': 'small',
      'up/up': { link: '..' },
    })
    const { scan, rescan } = textTree(path, { reads })
    const before = await scan()
    expect(before.problems).toHaveLength(6)
    expect(await rescan()).toBeUndefined()
  })

  it('finds a new skill, reading it alone', async () => {
    const tree = temporary(three)
    const { scan, rescan, reads: files } = textTree(tree.path, { reads })
    const before = await scan()
    files.length = 0
    tree.write({ 'group/bb/SKILL.md': 'new' })
    const after = await rescan()
    expect(foundIn(after)).toEqual(['a', 'group/b', 'group/bb', 'group/c'])
    expect(files).toEqual(['group/bb/SKILL.md'])
    expect(after?.items[0]).toBe(before.items[0])
    expect(after?.items[3]).toBe(before.items[2])
  })

  it('finds a skill in a folder that had none', async () => {
    const tree = temporary({ ...three, 'later/notes.md': '' })
    const { scan, rescan } = textTree(tree.path, { reads })
    await scan()
    tree.write({ 'later/SKILL.md': 'now' })
    expect(foundIn(await rescan())).toEqual(['a', 'group/b', 'group/c', 'later'])
  })

  it('finds a folder of skills that became a skill itself, and the other way round', async () => {
    const tree = temporary(three)
    const { scan, rescan } = textTree(tree.path, { reads })
    await scan()
    tree.write({ 'group/SKILL.md': 'group' })
    expect(foundIn(await rescan())).toEqual(['a', 'group'])
    tree.remove('group/SKILL.md')
    expect(foundIn(await rescan())).toEqual(['a', 'group/b', 'group/c'])
  })

  it('misses a file, a folder or a group that is gone, reading nothing', async () => {
    const tree = temporary({ ...three, 'd/SKILL.md': 'd', 'e/SKILL.md': 'e' })
    const { scan, rescan, reads: files } = textTree(tree.path, { reads })
    await scan()
    files.length = 0
    tree.remove('d/SKILL.md')
    expect(foundIn(await rescan())).toEqual(['a', 'e', 'group/b', 'group/c'])
    tree.remove('e')
    expect(foundIn(await rescan())).toEqual(['a', 'group/b', 'group/c'])
    tree.remove('group')
    expect(foundIn(await rescan())).toEqual(['a'])
    expect(await rescan()).toBeUndefined()
    expect(files).toEqual([])
  })

  it('does not call it a change when an empty folder comes or goes', async () => {
    const tree = temporary({ ...three, 'empty/x': '' })
    const { scan, rescan } = textTree(tree.path, { reads })
    await scan()
    tree.write({ 'more/x': '' })
    expect(await rescan()).toBeUndefined()
    tree.remove('empty')
    expect(await rescan()).toBeUndefined()
  })

  it('sees a changed text, and keeps the other items', async () => {
    const tree = temporary(three)
    const { scan, rescan, reads: files } = textTree(tree.path, { reads })
    const before = await scan()
    files.length = 0
    tree.write({ 'group/b/SKILL.md': 'changed' })
    const after = await rescan()
    expect(after?.items.map(({ text }) => text)).toEqual(['a', 'changed', 'c'])
    expect(files).toEqual(['group/b/SKILL.md'])
    expect(after?.items[0]).toBe(before.items[0])
  })

  it('sees a text that was put in place by renaming', async () => {
    const tree = temporary({ ...three, 'new.md': 'new' })
    const { scan, rescan } = textTree(tree.path, { reads })
    await scan()
    renameSync(`${tree.path}/new.md`, `${tree.path}/a/SKILL.md`)
    expect((await rescan())?.items[0]?.text).toBe('new')
  })

  it('sees a text of the same length under the old time of modification', async () => {
    const tree = temporary(three)
    const { scan, rescan } = textTree(tree.path, { reads })
    const { atime, mtime } = statSync(`${tree.path}/a/SKILL.md`)
    await scan()
    tree.write({ 'a/SKILL.md': 'A' })
    utimesSync(`${tree.path}/a/SKILL.md`, atime, mtime)
    expect((await rescan())?.items[0]?.text).toBe('A')
  })

  it('follows a folder that was renamed', async () => {
    const tree = temporary(three)
    const { scan, rescan, reads: files } = textTree(tree.path, { reads })
    await scan()
    files.length = 0
    renameSync(`${tree.path}/group`, `${tree.path}/other`)
    expect(foundIn(await rescan())).toEqual(['a', 'other/b', 'other/c'])
    expect(files.toSorted()).toEqual(['other/b/SKILL.md', 'other/c/SKILL.md'])
  })

  it('reads a file again that was only touched, and keeps its item', async () => {
    const tree = temporary(three)
    const { scan, rescan, reads: files } = textTree(tree.path, { reads })
    await scan()
    files.length = 0
    utimesSync(`${tree.path}/a/SKILL.md`, 1, 1)
    expect(await rescan()).toBeUndefined()
    expect(files).toEqual(['a/SKILL.md'])
    expect(await rescan()).toBeUndefined()
    expect(files).toEqual(['a/SKILL.md'])
  })

  describe('of a file that was written just before it was read', () => {
    it('reads it again, since it may have changed within the same tick of the clock', async () => {
      const tree = temporary(three)
      let now = statSync(`${tree.path}/a/SKILL.md`).ctimeMs + 50
      const { scan, rescan, reads: files } = textTree(tree.path, { reads, now: () => now })
      await scan()
      files.length = 0
      expect(await rescan()).toBeUndefined()
      expect(files).toContain('a/SKILL.md')
      // A file that was read long after it was written counts as settled.
      now += 60_000
      await rescan()
      files.length = 0
      expect(await rescan()).toBeUndefined()
      expect(files).toEqual([])
    })

    it('reads it again although the folder that it was found in is listed anew', async () => {
      const tree = temporary(three)
      let now = statSync(`${tree.path}/a/SKILL.md`).ctimeMs + 50
      const { scan, rescan, reads: files } = textTree(tree.path, { reads, now: () => now })
      await scan()
      tree.write({ 'd/SKILL.md': 'd' })
      now += 60_000
      files.length = 0
      await rescan()
      expect(files).toContain('a/SKILL.md')
      files.length = 0
      expect(await rescan()).toBeUndefined()
      expect(files).toEqual([])
    })

    it('is not deceived by an old time of modification: the time of the change counts', async () => {
      const tree = temporary(three)
      utimesSync(`${tree.path}/a/SKILL.md`, 1, 1)
      const now = statSync(`${tree.path}/a/SKILL.md`).ctimeMs + 50
      const { scan, rescan, reads: files } = textTree(tree.path, { reads, now: () => now })
      await scan()
      files.length = 0
      expect(await rescan()).toBeUndefined()
      expect(files).toContain('a/SKILL.md')
    })

    it('looks again into a folder that was changed just before', async () => {
      const tree = temporary(three)
      const { ctimeMs } = statSync(`${tree.path}/group`)
      const { scan, rescan } = textTree(tree.path, { reads, now: () => ctimeMs + 50 })
      await scan()
      tree.write({ 'group/d/SKILL.md': 'd' })
      expect(foundIn(await rescan())).toContain('group/d')
    })
  })

  describe('of links', () => {
    it('sees that a link leads elsewhere now, as a folder and as a file', async () => {
      const tree = temporary({
        'one/x/SKILL.md': 'one',
        'two/y/SKILL.md': 'two',
        'skills/link': { link: '../one' },
        'skills/f/SKILL.md': { link: '../../one/x/SKILL.md' },
      })
      const { scan, rescan } = textTree(`${tree.path}/skills`, { reads })
      await scan()
      tree.write({ 'skills/link': { link: '../two' }, 'skills/f/SKILL.md': { link: '../../two/y/SKILL.md' } })
      const state = await rescan()
      expect(state?.items).toMatchObject([
        { relative: 'f', text: 'two' },
        { relative: 'link/y', text: 'two' },
      ])
    })

    it('sees a change behind a link, as a folder and as a file', async () => {
      const tree = temporary({
        'real/x/SKILL.md': 'x',
        'text.md': 'text',
        'skills/link': { link: '../real' },
        'skills/f/SKILL.md': { link: '../../text.md' },
      })
      const { scan, rescan } = textTree(`${tree.path}/skills`, { reads })
      await scan()
      expect(await rescan()).toBeUndefined()
      tree.write({ 'real/x/SKILL.md': 'x changed', 'text.md': 'text changed', 'real/y/SKILL.md': 'y' })
      expect((await rescan())?.items.map(({ text }) => text)).toEqual(['text changed', 'x changed', 'y'])
    })

    it('sees a dangling link mended, and broken again', async () => {
      const tree = temporary({
        'skills/link': { link: '../real' },
        'skills/f/SKILL.md': { link: '../../real/SKILL.md' },
      })
      const { scan, rescan } = textTree(`${tree.path}/skills`, { reads })
      expect((await scan()).problems).toHaveLength(2)
      tree.write({ 'real/SKILL.md': 'real' })
      expect(await rescan()).toMatchObject({ items: [{ relative: 'f' }, { relative: 'link' }], problems: [] })
      tree.remove('real')
      expect(await rescan()).toMatchObject({
        items: [],
        problems: [{ code: 'dangling-link' }, { code: 'dangling-link' }],
      })
    })

    it('sees a folder take the place of a link, and the other way round', async () => {
      const tree = temporary({ 'real/SKILL.md': 'real', 'skills/x': { link: '../real' } })
      const { scan, rescan } = textTree(`${tree.path}/skills`, { reads })
      await scan()
      rmSync(`${tree.path}/skills/x`)
      tree.write({ 'skills/x/SKILL.md': 'own' })
      expect((await rescan())?.items).toMatchObject([{ text: 'own' }])
      tree.remove('skills/x')
      symlinkSync('../real', `${tree.path}/skills/x`)
      expect((await rescan())?.items).toMatchObject([{ text: 'real' }])
    })
  })

  describe('of some paths', () => {
    it('reads only what lies at or under them, or above', async () => {
      const tree = temporary(three)
      const { scan, rescan, reads: files } = textTree(tree.path, { reads })
      await scan()
      files.length = 0
      tree.write({ 'a/SKILL.md': 'a changed', 'group/b/SKILL.md': 'b changed', 'group/c/SKILL.md': 'c changed' })
      expect((await rescan([`${tree.path}/group/c/SKILL.md`]))?.items.map(({ text }) => text)).toEqual([
        'a',
        'b',
        'c changed',
      ])
      expect(files).toEqual(['group/c/SKILL.md'])
      expect((await rescan([`${tree.path}/group`]))?.items.map(({ text }) => text)).toEqual([
        'a',
        'b changed',
        'c changed',
      ])
      expect((await rescan())?.items.map(({ text }) => text)).toEqual(['a changed', 'b changed', 'c changed'])
      expect(files).toEqual(['group/c/SKILL.md', 'group/b/SKILL.md', 'a/SKILL.md'])
    })

    it('gives undefined when the change lies elsewhere, and when the paths have nothing to do with the root', async () => {
      const tree = temporary(three)
      const { scan, rescan } = textTree(tree.path, { reads })
      await scan()
      tree.write({ 'a/SKILL.md': 'a changed' })
      expect(await rescan([`${tree.path}/group`])).toBeUndefined()
      expect(await rescan([`${tree.path}-else`])).toBeUndefined()
      expect(await rescan([])).toBeUndefined()
    })

    it('finds what is new at a path', async () => {
      const tree = temporary(three)
      const { scan, rescan } = textTree(tree.path, { reads })
      await scan()
      tree.write({ 'group/d/SKILL.md': 'd', 'e/f/SKILL.md': 'f' })
      expect(foundIn(await rescan([`${tree.path}/group/d/SKILL.md`, `${tree.path}/e/f/SKILL.md`]))).toEqual([
        'a',
        'e/f',
        'group/b',
        'group/c',
        'group/d',
      ])
    })

    it('does not take a name that begins the same for a folder above', async () => {
      const tree = temporary({ 'ab/SKILL.md': 'ab', 'a/SKILL.md': 'a' })
      const { scan, rescan } = textTree(tree.path, { reads })
      await scan()
      tree.write({ 'ab/SKILL.md': 'ab changed' })
      expect(await rescan([`${tree.path}/a`])).toBeUndefined()
    })

    it('leaves a folder to the link that has it already, though that link is not looked at', async () => {
      const { path } = temporary({
        'real/SKILL.md': 'real',
        'skills/a/link': { link: '../../real' },
        'skills/b/link': { link: '../../real' },
      })
      const { scan, rescan } = textTree(`${path}/skills`, { reads })
      expect(foundIn(await scan())).toEqual(['a/link'])
      expect(await rescan([`${path}/skills/b`])).toBeUndefined()
    })
  })

  describe('of the root', () => {
    it('sees it come, go and come back', async () => {
      const tree = temporary()
      const { scan, rescan } = textTree(`${tree.path}/skills`, { reads })
      expect((await scan()).root).toBe('missing')
      expect(await rescan()).toBeUndefined()
      tree.write({ 'skills/a/SKILL.md': 'a' })
      expect(await rescan()).toMatchObject({ root: 'read', items: [{ text: 'a' }] })
      tree.remove('skills')
      expect(await rescan()).toEqual({ root: 'missing', items: [], problems: [] })
      tree.write({ 'skills/a/SKILL.md': 'b' })
      expect(await rescan([`${tree.path}/skills/a`])).toMatchObject({ root: 'read', items: [{ text: 'b' }] })
    })

    it('sees it come without a skill', async () => {
      const tree = temporary()
      const { scan, rescan } = textTree(`${tree.path}/skills`, { reads })
      await scan()
      mkdirSync(`${tree.path}/skills`)
      expect(await rescan()).toEqual({ root: 'read', items: [], problems: [] })
      expect(await rescan()).toBeUndefined()
    })

    it('sees another folder behind a link', async () => {
      const tree = temporary({ 'one/a/SKILL.md': 'one', 'two/a/SKILL.md': 'two', skills: { link: 'one' } })
      const { scan, rescan } = textTree(`${tree.path}/skills`, { reads })
      await scan()
      tree.write({ skills: { link: 'two' } })
      expect((await rescan())?.items).toMatchObject([{ text: 'two' }])
    })

    it('sees a link lead out, and back in', async () => {
      const tree = temporary({
        'project/one/a/SKILL.md': 'one',
        'private/a/SKILL.md': 'two',
        'project/skills': { link: 'one' },
      })
      const { scan, rescan } = textTree(`${tree.path}/project/skills`, { reads, within: [`${tree.path}/project`] })
      await scan()
      tree.write({ 'project/skills': { link: '../private' } })
      const state = await rescan()
      expect(state).toMatchObject({ root: 'unreadable', items: [] })
      expect(problemsIn(state, tree.path)).toEqual(['error link-escapes project/skills'])
      expect(await rescan()).toBeUndefined()
      tree.write({ 'project/skills': { link: 'one' } })
      expect((await rescan())?.items).toMatchObject([{ text: 'one' }])
    })

    it('looks everywhere when nothing was looked at before', async () => {
      const { path } = temporary(three)
      const { rescan } = textTree(path, { reads })
      expect(foundIn(await rescan([`${path}/a`]))).toEqual(['a', 'group/b', 'group/c'])
    })
  })

  describe('at a limit', () => {
    it('counts anew what lies too deep', async () => {
      const tree = temporary({ 'a/b/c/x': '' })
      const { scan, rescan } = textTree(tree.path, { reads, depth: 2 })
      expect((await scan()).problems[0]?.message).toMatch(/ a folder\.$/)
      mkdirSync(`${tree.path}/a/b/d`)
      expect((await rescan())?.problems[0]?.message).toMatch(/ 2 folders\.$/)
      tree.remove('a')
      expect((await rescan())?.problems).toEqual([])
    })

    it('gives the room of what is gone to what was left out', async () => {
      const tree = temporary({ 'a/SKILL.md': 'a', 'b/SKILL.md': 'b', 'c/SKILL.md': 'c', 'd/SKILL.md': 'd' })
      const { scan, rescan } = textTree(tree.path, { reads, folders: 3 })
      expect(foundIn(await scan())).toEqual(['a', 'b'])
      tree.remove('a')
      const state = await rescan()
      expect(foundIn(state)).toEqual(['b', 'c'])
      expect(state?.problems[0]?.message).toMatch(/^At least 1 folders /)
      tree.remove('b')
      expect(await rescan()).toMatchObject({ items: [{ text: 'c' }, { text: 'd' }], problems: [] })
    })

    it('does not wear the limit out by folders that come and go', async () => {
      const tree = temporary({ 'a/SKILL.md': 'a', 'group/0/SKILL.md': '0' })
      const { scan, rescan } = textTree(tree.path, { reads, folders: 4 })
      await scan()
      for (let time = 1; time < 6; time++) {
        renameSync(`${tree.path}/group/${time - 1}`, `${tree.path}/group/${time}`)
        expect(foundIn(await rescan())).toEqual(['a', `group/${time}`])
      }
    })
  })

  it('reads a known file again when what else its item depends on has changed', async () => {
    const { path } = temporary(three)
    let isCurrent = true
    const {
      scan,
      rescan,
      reads: files,
    } = textTree(path, { reads, isCurrent: item => isCurrent || item.relative !== 'a' })
    await scan()
    files.length = 0
    expect(await rescan()).toBeUndefined()
    isCurrent = false
    await rescan()
    expect(files).toEqual(['a/SKILL.md'])
  })

  it('sees a file grow too large, and shrink again', async () => {
    const tree = temporary(three)
    const { scan, rescan } = textTree(tree.path, { reads, fileBytes: 10 })
    await scan()
    writeFileSync(`${tree.path}/a/SKILL.md`, 'more than ten bytes')
    const state = await rescan()
    expect(foundIn(state)).toEqual(['group/b', 'group/c'])
    expect(problemsIn(state, tree.path)).toEqual(['error file-too-large a/SKILL.md'])
    writeFileSync(`${tree.path}/a/SKILL.md`, 'short')
    expect(await rescan()).toMatchObject({ items: [{ text: 'short' }, {}, {}], problems: [] })
  })
})
