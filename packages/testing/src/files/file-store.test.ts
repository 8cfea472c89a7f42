import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { fileStore, withoutRoot } from '../index.js'
import type { FileStore, FileStoreOptions } from './file-store.js'

const skill = { name: 'alpha', description: 'Says alpha.', body: 'First.\n\nThen écoute.' }
const stores: FileStore[] = []

function store(options: FileStoreOptions = { root: 'home/skills' }): FileStore {
  const made = fileStore(options)
  stores.push(made)
  return made
}

afterEach(() => {
  for (const { tree } of stores.splice(0)) tree.dispose()
})

describe('a store of files', () => {
  test('has no root before the first skill', async () => {
    const { tree, put } = store()
    expect(existsSync(`${tree.path}/home`)).toBe(false)
    await put([skill])
    expect(readFileSync(`${tree.path}/home/skills/alpha/SKILL.md`, 'utf8')).toBe(
      '---\nname: alpha\ndescription: Says alpha.\n---\nFirst.\n\nThen écoute.\n',
    )
  })

  test('replaces and removes skills, and names their paths', async () => {
    const { tree, put, remove, pathOf } = store()
    await put([skill, { ...skill, name: 'beta' }])
    await put([{ ...skill, description: 'Another.' }])
    expect(readFileSync(`${pathOf('alpha')}/SKILL.md`, 'utf8')).toContain('Another.')
    await remove('alpha')
    expect(readdirSync(`${tree.path}/home/skills`)).toEqual(['beta'])
  })

  test('takes another name of file, another format and another mistake', async () => {
    const { tree, put, putBroken, putEndless } = store({
      root: 'notes',
      fileName: 'note.txt',
      format: ({ name, description, body }) => `${name}\n${description}\n${body}`,
      broken: { text: '?' },
    })
    await put([skill])
    expect(readFileSync(`${tree.path}/notes/alpha/note.txt`, 'utf8')).toBe('alpha\nSays alpha.\nFirst.\n\nThen écoute.')
    expect(await putBroken('broken')).toEqual({ path: `${tree.path}/notes/broken/note.txt` })
    expect(readFileSync(`${tree.path}/notes/broken/note.txt`, 'utf8')).toBe('?')
    const entry = await putEndless?.('endless')
    expect(entry === undefined || lstatSync(`${tree.path}/notes/endless/note.txt`).isFIFO()).toBe(true)
    await entry?.remove()
  })

  test('says where the mistake of a broken skill is', async () => {
    const { tree, putBroken } = store()
    expect(await putBroken('broken')).toEqual({ path: `${tree.path}/home/skills/broken/SKILL.md`, line: 1 })
  })

  test('makes a skill and its root unreadable for everybody, the superuser too, and the root readable again', async () => {
    const { tree, put, deny, shut, pathOf } = store()
    await put([skill, { ...skill, name: 'beta' }])
    await deny('alpha')
    expect(() => readFileSync(`${pathOf('alpha')}/SKILL.md`)).toThrow(/EACCES|ELOOP/)
    const open = await shut()
    expect(() => readdirSync(`${tree.path}/home/skills`)).toThrow(/EACCES|ELOOP/)
    await open()
    expect(readdirSync(`${tree.path}/home/skills`)).toEqual(['alpha', 'beta'])
    expect(readFileSync(`${pathOf('beta')}/SKILL.md`, 'utf8')).toContain('First.')
  })

  test.skipIf(process.platform === 'win32')('takes the right to read away from users whom that keeps out', () =>
    withoutRoot(async () => {
      const { tree, put, deny, shut, pathOf } = store()
      await put([skill])
      await deny('alpha')
      expect(() => readFileSync(`${pathOf('alpha')}/SKILL.md`)).toThrow('EACCES')
      const open = await shut()
      expect(() => readdirSync(`${tree.path}/home/skills`)).toThrow('EACCES')
      await open()
      expect(readdirSync(`${tree.path}/home/skills`)).toEqual(['alpha'])
      expect(lstatSync(pathOf('alpha')).isDirectory()).toBe(true)
    }),
  )

  test('counts what is read of its skills, and nothing beside them', async () => {
    const { tree, put, countReads, pathOf } = store()
    await put([skill])
    tree.write({ 'home/other': 'x' })
    const counter = countReads()
    readFileSync(`${tree.path}/home/other`)
    expect(counter.reads).toBe(0)
    const { length } = readFileSync(`${pathOf('alpha')}/SKILL.md`)
    expect(counter.bytes).toBe(length)
    counter.stop()
  })
})
