import { describe, expect, it } from 'vitest'
import { temporary } from '../test/text-tree.js'
import { turnsDuring } from '../test/turns.js'
import { listFolder } from './listing.js'

describe.each([['at once', 0], ['in turns', 1024 * 1024]])('listing a folder %s', (_, size) => {
  it('tells folders, links and skill files apart, in order', async () => {
    const { path } = temporary({
      'b/x': '', 'a/x': '', B: { dir: true }, file: '', z: { link: 'a' }, link: { link: 'nowhere' }, 'SKILL.md': '', 'Skill.md': '',
      'skill.mdx': '', '.h/x': '', 'notes.md': '', 'B.MD': '', 'x.md/y': '',
    })
    expect(await listFolder(path, size)).toEqual({
      folders: ['.h', 'B', 'a', 'b', 'x.md'], links: ['link', 'z'], skillFiles: ['SKILL.md', 'Skill.md'], loose: ['B.MD', 'notes.md'],
    })
  })

  it('gives an empty listing of an empty folder', async () => {
    expect(await listFolder(temporary().path, size)).toEqual({ folders: [], links: [], skillFiles: [], loose: [] })
  })

  it('says what the system says of a folder that is not there, or is none', async () => {
    const { path } = temporary({ file: '' })
    await expect((async () => listFolder(`${path}/nowhere`, size))()).rejects.toMatchObject({ code: 'ENOENT' })
    await expect((async () => listFolder(`${path}/file`, size))()).rejects.toMatchObject({ code: 'ENOTDIR' })
  })
})

it('an ordinary folder is listed at once, a very large one with turns for the rest of the process', async () => {
  const { path } = temporary(Object.fromEntries(Array.from({ length: 2500 }, (_, at) => [`skill-${at}`, { dir: true } as const])))
  const wanted = Array.from({ length: 2500 }, (_, at) => `skill-${at}`).sort()
  expect(listFolder(path, 128 * 1024)).toMatchObject({ folders: wanted })
  const { turns, result } = await turnsDuring(() => listFolder(path, 128 * 1024 + 1))
  expect(result.folders).toEqual(wanted)
  // One before it begins, two for as many times a thousand entries, one before they are put in order.
  expect(turns).toBe(4)
})
