import { execFileSync } from 'node:child_process'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { foundIn, problemsIn, temporary, textTree } from '../test/text-tree.js'

const isRoot = process.getuid?.() === 0

// Both ways of reading must give the same.
describe.each(['auto', 'callbacks'] as const)('reading with %s', reads => {
  describe('links', () => {
    it('are followed to folders and to files', async () => {
      const { path } = temporary({
        'elsewhere/lint/SKILL.md': 'lint',
        'elsewhere/text.md': 'linked text',
        'skills/folder': { link: '../elsewhere/lint' },
        'skills/file/SKILL.md': { link: '../../elsewhere/text.md' },
      })
      const state = await textTree(`${path}/skills`, { reads }).scan()
      expect(state.items).toEqual([
        { relative: 'file', path: `${path}/skills/file/SKILL.md`, text: 'linked text' },
        { relative: 'folder', path: `${path}/skills/folder/SKILL.md`, text: 'lint' },
      ])
      expect(state.problems).toEqual([])
    })

    it('give the file that they lead to as its identity', async () => {
      const { path } = temporary({
        'real/a/SKILL.md': 'a',
        'real/b.md': 'b',
        'skills/a': { link: '../real/a' },
        'skills/b/SKILL.md': { link: '../../real/b.md' },
      })
      const files: string[] = []
      await textTree(`${path}/skills`, { reads, onRead: file => files.push(file.identity.realPath) }).scan()
      expect(files.toSorted()).toEqual([`${path}/real/a/SKILL.md`, `${path}/real/b.md`])
    })

    it('are followed through a root that is one, and paths are those that were asked for', async () => {
      const { path } = temporary({ 'real/a/SKILL.md': 'a', skills: { link: 'real' } })
      const state = await textTree(`${path}/skills`, { reads }).scan()
      expect(state).toMatchObject({ root: 'read', items: [{ relative: 'a', path: `${path}/skills/a/SKILL.md` }] })
    })

    it('are followed below a folder that is reached through one', async () => {
      const { path } = temporary({
        'elsewhere/group/a/SKILL.md': 'a',
        'elsewhere/b': { link: '../last' },
        'last/SKILL.md': 'b',
        'skills/e': { link: '../elsewhere' },
      })
      expect(foundIn(await textTree(`${path}/skills`, { reads }).scan())).toEqual(['e/b', 'e/group/a'])
    })

    it('to ordinary files are no concern of a scan', async () => {
      const { path } = temporary({
        'notes.md': 'text',
        'skills/notes': { link: '../notes.md' },
        'skills/more': { link: '../notes.md' },
        'skills/a/SKILL.md': 'a',
      })
      expect(await textTree(`${path}/skills`, { reads }).scan()).toMatchObject({
        items: [{ relative: 'a' }],
        problems: [],
      })
    })

    it('that lead to nothing are error entries, as a folder and as a file', async () => {
      const { path } = temporary({
        folder: { link: 'nowhere' },
        'file/SKILL.md': { link: '../nowhere.md' },
        'good/SKILL.md': 'good',
      })
      const state = await textTree(path, { reads }).scan()
      expect(foundIn(state)).toEqual(['good'])
      expect(problemsIn(state, path)).toEqual(['error dangling-link folder', 'error dangling-link file/SKILL.md'])
      expect(state.problems.map(({ name }) => name)).toEqual(['folder', 'file'])
    })

    it('that lead to themselves or to each other are error entries', async () => {
      const { path } = temporary({
        a: { link: 'a' },
        b: { link: 'c' },
        c: { link: 'b' },
        'file/SKILL.md': { link: 'SKILL.md' },
        'good/SKILL.md': 'good',
      })
      const state = await textTree(path, { reads }).scan()
      expect(foundIn(state)).toEqual(['good'])
      expect(problemsIn(state, path)).toEqual([
        'error unreadable a',
        'error unreadable b',
        'error unreadable c',
        'error unreadable file/SKILL.md',
      ])
      expect(state.problems[0]?.message).toContain('leads in a cycle')
    })

    it('that lead back to a folder above them are cut with a warning', async () => {
      const { path } = temporary({
        'a/SKILL.md': 'a',
        'b/up': { link: '..' },
        'b/self': { link: '../b' },
        'b/far': { link: '../..' },
        'b/c/SKILL.md': 'c',
      })
      const state = await textTree(path, { reads }).scan()
      expect(foundIn(state)).toEqual(['a', 'b/c'])
      expect(problemsIn(state, path)).toEqual([
        'warning link-cycle b/far',
        'warning link-cycle b/self',
        'warning link-cycle b/up',
      ])
    })

    it('that lead from two folders into each other end', async () => {
      const { path } = temporary({
        'a/skill/SKILL.md': 'a',
        'b/skill/SKILL.md': 'b',
        'a/to-b': { link: '../b' },
        'b/to-a': { link: '../a' },
      })
      const state = await textTree(path, { reads }).scan()
      // Each folder is found directly and once through a link. The catalog recognises the same files.
      expect(foundIn(state)).toEqual(['a/skill', 'a/to-b/skill', 'a/to-b/to-a/skill', 'b/skill'])
      expect(problemsIn(state, path)).toEqual(['warning link-again a/to-b/to-a/to-b', 'warning link-again b/to-a'])
    })

    it('to one folder are followed once, the first by name', async () => {
      const { path } = temporary({
        'real/SKILL.md': 'real',
        'skills/b': { link: '../real' },
        'skills/a': { link: '../real' },
        'skills/c/d': { link: '../../real' },
      })
      for (let time = 0; time < 3; time++) {
        const state = await textTree(`${path}/skills`, { reads }).scan()
        expect(foundIn(state)).toEqual(['a'])
        expect(problemsIn(state, `${path}/skills`)).toEqual(['warning link-again b', 'warning link-again c/d'])
      }
    })

    it('back to the root do not go on for ever', async () => {
      const { path } = temporary({
        'skills/a/SKILL.md': 'a',
        'skills/out': { link: '../elsewhere' },
        'elsewhere/back': { link: '../skills' },
        'elsewhere/b/SKILL.md': 'b',
      })
      expect(foundIn(await textTree(`${path}/skills`, { reads }).scan())).toEqual(['a', 'out/b'])
    })
  })

  describe('a root whose links must stay inside', () => {
    const secret = 'do-not-print-this-text'
    const outside = {
      'private/notes.md': secret,
      'private/skill/SKILL.md': secret,
      'project/skills/good/SKILL.md': 'good',
    }

    it('does not read a file or a folder outside, and nothing tells what is in it', async () => {
      const { path } = temporary({
        ...outside,
        'project/skills/file/SKILL.md': { link: '../../../private/notes.md' },
        'project/skills/folder': { link: '../../private/skill' },
        'project/skills/parent': { link: '../../private' },
        'project/skills/small/skill.md': { link: '../../../private/notes.md' },
      })
      const { scan, reads: files } = textTree(`${path}/project/skills`, { reads, within: [`${path}/project`] })
      const state = await scan()
      expect(foundIn(state)).toEqual(['good'])
      expect(files).toEqual(['good/SKILL.md'])
      expect(problemsIn(state, `${path}/project/skills`)).toEqual([
        'error link-escapes folder',
        'error link-escapes parent',
        'error link-escapes file/SKILL.md',
        'error link-escapes small/skill.md',
      ])
      for (const problem of state.problems) expect(problem.type).toBe('traversal')
      expect(JSON.stringify(state)).not.toContain(secret)
    })

    it('follows links inside and to the other folders that are allowed', async () => {
      const { path } = temporary({
        ...outside,
        'shared/lint/SKILL.md': 'lint',
        'project/docs/text.md': 'inside',
        'project/skills/lint': { link: '../../shared/lint' },
        'project/skills/text/SKILL.md': { link: '../../docs/text.md' },
      })
      const state = await textTree(`${path}/project/skills`, {
        reads,
        within: [`${path}/project`, `${path}/shared`],
      }).scan()
      expect(foundIn(state)).toEqual(['good', 'lint', 'text'])
      expect(state.problems).toEqual([])
    })

    it('is not fooled by a folder whose name begins like an allowed one', async () => {
      const { path } = temporary({
        ...outside,
        'project-private/SKILL.md': secret,
        'project/skills/near': { link: '../../project-private' },
      })
      const state = await textTree(`${path}/project/skills`, { reads, within: [`${path}/project`] }).scan()
      expect(problemsIn(state, `${path}/project/skills`)).toEqual(['error link-escapes near'])
    })

    it('is not fooled by a chain of links that leads out at its end', async () => {
      const { path } = temporary({
        ...outside,
        'project/inner': { link: '../private/skill' },
        'project/skills/chain': { link: '../inner' },
      })
      const state = await textTree(`${path}/project/skills`, { reads, within: [`${path}/project`] }).scan()
      expect(problemsIn(state, `${path}/project/skills`)).toEqual(['error link-escapes chain'])
    })

    it('is not read at all when it is itself a link that leads out', async () => {
      const { path } = temporary({ ...outside, 'project/linked': { link: '../private' } })
      const { scan, reads: files } = textTree(`${path}/project/linked`, { reads, within: [`${path}/project`] })
      const state = await scan()
      expect(state).toMatchObject({ root: 'unreadable', items: [] })
      expect(problemsIn(state, path)).toEqual(['error link-escapes project/linked'])
      expect(files).toEqual([])
    })
  })

  describe('what is called SKILL.md and is no regular file', () => {
    it('is an error entry: a named pipe, which is not waited for', async () => {
      const { path } = temporary({ 'pipe/other.md': '', 'good/SKILL.md': 'good' })
      execFileSync('mkfifo', [`${path}/pipe/SKILL.md`])
      const state = await textTree(path, { reads }).scan()
      expect(foundIn(state)).toEqual(['good'])
      expect(state.problems).toEqual([
        expect.objectContaining({
          severity: 'error',
          type: 'io',
          code: 'not-a-file',
          name: 'pipe',
          message: expect.stringContaining(`${path}/pipe/SKILL.md is a named pipe,`) as string,
        }),
      ])
    })

    it('is an error entry: a folder', async () => {
      const { path } = temporary({ 'folder/SKILL.md/inner/SKILL.md': 'inner', 'good/SKILL.md': 'good' })
      const state = await textTree(path, { reads }).scan()
      expect(foundIn(state)).toEqual(['good'])
      expect(state.problems).toMatchObject([
        { code: 'not-a-file', message: expect.stringContaining(`${path}/folder/SKILL.md is a folder,`) },
      ])
    })

    it('is an error entry: a socket', async () => {
      const { path } = temporary({ 'socket/other.md': '', 'good/SKILL.md': 'good' })
      const server = createServer()
      await new Promise<void>(resolve => {
        server.listen(`${path}/socket/SKILL.md`, resolve)
      })
      const state = await textTree(path, { reads }).scan()
      await new Promise(resolve => {
        server.close(resolve)
      })
      expect(foundIn(state)).toEqual(['good'])
      expect(state.problems).toMatchObject([
        { code: 'not-a-file', message: expect.stringContaining(`${path}/socket/SKILL.md is a socket,`) },
      ])
    })

    it.runIf(isRoot)('is an error entry: a device (made by the superuser alone)', async () => {
      const { path } = temporary({ 'device/other.md': '', 'good/SKILL.md': 'good' })
      execFileSync('mknod', [`${path}/device/SKILL.md`, 'c', '1', '5'])
      const state = await textTree(path, { reads }).scan()
      expect(foundIn(state)).toEqual(['good'])
      expect(state.problems).toMatchObject([
        { code: 'not-a-file', message: expect.stringContaining(`${path}/device/SKILL.md is a device,`) },
      ])
    })

    it('is an error entry behind a link too', async () => {
      const { path } = temporary({
        'real/folder/x': '',
        'skills/a/SKILL.md': { link: '../../real/folder' },
        'skills/b/SKILL.md': { link: '/dev/zero' },
      })
      const state = await textTree(`${path}/skills`, { reads }).scan()
      expect(state.items).toEqual([])
      expect(problemsIn(state, `${path}/skills`)).toEqual([
        'error not-a-file a/SKILL.md',
        'error not-a-file b/SKILL.md',
      ])
      expect(state.problems).toMatchObject([
        { code: 'not-a-file', message: expect.stringContaining(`${path}/skills/a/SKILL.md is a folder,`) },
        { code: 'not-a-file', message: expect.stringContaining(`${path}/skills/b/SKILL.md is a device,`) },
      ])
    })
  })

  describe('what disappears while a scan is under way', () => {
    // Reading with callbacks opens several files at once, so only a file that is read much later can still change.
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`s${String(at).padStart(2, '0')}/SKILL.md`, `text ${at}`]),
    )

    it('is as if it had never been: a file, a folder, a whole group', async () => {
      const { path } = temporary({ ...many, 'z1/SKILL.md': 'one', 'z2/SKILL.md': 'two', 'z3/inner/SKILL.md': 'three' })
      const { scan } = textTree(path, {
        reads,
        onRead: ({ name }) => {
          if (name !== 's00') return
          rmSync(`${path}/z1/SKILL.md`)
          rmSync(`${path}/z2`, { recursive: true })
          rmSync(`${path}/z3`, { recursive: true })
        },
      })
      const state = await scan()
      expect(foundIn(state)).toEqual(Object.keys(many).map(file => file.slice(0, 3)))
      expect(state.problems).toEqual([])
    })

    it('is read as it is when it was replaced: by other text, a link, a folder', async () => {
      const { path } = temporary({
        ...many,
        'elsewhere.md': 'linked',
        'z1/SKILL.md': 'old',
        'z2/SKILL.md': 'old',
        'z3/SKILL.md': 'old',
      })
      const { scan } = textTree(path, {
        reads,
        onRead: ({ name }) => {
          if (name !== 's00') return
          writeFileSync(`${path}/z1/SKILL.md`, 'a new and longer text')
          rmSync(`${path}/z2/SKILL.md`)
          symlinkSync('../elsewhere.md', `${path}/z2/SKILL.md`)
          rmSync(`${path}/z3`, { recursive: true })
          writeFileSync(`${path}/z3`, 'a file now')
        },
      })
      const state = await scan()
      expect(state.items.slice(-2)).toMatchObject([
        { relative: 'z1', text: 'a new and longer text' },
        { relative: 'z2', text: 'linked' },
      ])
      expect(state.items).toHaveLength(62)
      expect(state.problems).toEqual([])
    })
  })
})

it('a file that is reached again and was replaced meanwhile has the stamps of what was read', async () => {
  const { path, write } = temporary({ 'a/SKILL.md': 'old', 'b/SKILL.md': { link: '../a/SKILL.md' } })
  const sizes: (readonly [size: number, text: number])[] = []
  const { scan, rescan } = textTree(path, {
    onRead(file, head) {
      sizes.push([file.identity.size, head.length])
      if (sizes.length === 3) write({ 'a/SKILL.md': 'new and longer' })
    },
  })
  await scan()
  write({ 'a/SKILL.md': 'other' })
  await rescan()
  expect(sizes).toEqual([
    [3, 3],
    [3, 3],
    [5, 5],
    [14, 14],
  ])
})
