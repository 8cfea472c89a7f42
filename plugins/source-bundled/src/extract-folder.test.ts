import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { extractFolder } from './index.js'
import { isPosix, modesOf, temporary } from '../test/bundled.js'

const marker = '.skills-bundled.marker'
const files = { 'greet/SKILL.md': '---\nname: greet\n---\nSay hello.', 'greet/notes.txt': 'Notes.' }

describe('a folder with a marker', () => {
  it('is made with all that lies above it, and left alone while it is made of the same', async () => {
    const { path } = temporary()
    const folder = `${path}/home/skills-bundled`
    expect(await extractFolder({ folder, files })).toBe(true)
    expect(readFileSync(`${folder}/${marker}`, 'utf8')).toMatch(/^[\da-f]{16}$/)
    writeFileSync(`${folder}/greet/SKILL.md`, 'Changed.')
    expect(await extractFolder({ folder, files: Object.fromEntries(Object.entries(files).reverse()) })).toBe(false)
    expect(readFileSync(`${folder}/greet/SKILL.md`, 'utf8')).toBe('Changed.')
  })

  it('has in its marker the hash of sorted paths and contents and of nothing else, so that the folder of another program is kept', async () => {
    const { path } = temporary()
    const hash = createHash('sha256')
      .update(`greet/SKILL.md${files['greet/SKILL.md']}greet/notes.txtNotes.`)
      .digest('hex')
      .slice(0, 16)
    mkdirSync(`${path}/theirs`)
    writeFileSync(`${path}/theirs/${marker}`, hash)
    expect(await extractFolder({ folder: `${path}/theirs`, files })).toBe(false)
    expect(readdirSync(`${path}/theirs`)).toEqual([marker])
    expect(
      await extractFolder({
        folder: `${path}/ours`,
        files: { 'greet/notes.txt': Buffer.from('Notes.'), 'greet/SKILL.md': files['greet/SKILL.md'] },
      }),
    ).toBe(true)
    expect(readFileSync(`${path}/ours/${marker}`, 'utf8')).toBe(hash)
  })

  it.runIf(isPosix)('is for the user alone', async () => {
    const { path } = temporary()
    await extractFolder({ folder: `${path}/bundled`, files })
    expect(modesOf(`${path}/bundled`)).toEqual({
      '': '700',
      [marker]: '600',
      greet: '700',
      'greet/SKILL.md': '600',
      'greet/notes.txt': '600',
    })
  })

  it('is made anew when what it is made of differs, and holds nothing of before', async () => {
    const { path } = temporary()
    const folder = `${path}/skills-bundled`
    await extractFolder({ folder, files })
    expect(await extractFolder({ folder, files: { 'greet/SKILL.md': 'Another.' } })).toBe(true)
    expect(readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()).toEqual([
      marker,
      'greet',
      'greet/SKILL.md',
    ])
    expect(readdirSync(path)).toEqual(['skills-bundled'])
    writeFileSync(`${folder}/${marker}`, 'something else')
    expect(await extractFolder({ folder, files: { 'greet/SKILL.md': 'Another.' } })).toBe(true)
  })

  it('may have a marker of another name', async () => {
    const { path } = temporary()
    await extractFolder({ folder: `${path}/bundled`, files, marker: '.notes.marker' })
    expect(readdirSync(`${path}/bundled`)).toEqual(['.notes.marker', 'greet'])
  })

  it('is whole when several ask for it at one time', async () => {
    const { path } = temporary()
    for (let round = 0; round < 20; round++) {
      const now = { ...files, 'greet/notes.txt': `Round ${round}.` }
      expect(
        await Promise.all(Array.from({ length: 5 }, () => extractFolder({ folder: `${path}/bundled`, files: now }))),
      ).toContain(true)
    }
    expect([readdirSync(path), readdirSync(`${path}/bundled/greet`)]).toEqual([['bundled'], ['SKILL.md', 'notes.txt']])
  })

  it('that holds something else, or is a file or a link, is refused and left as it is', async () => {
    const { path } = temporary({ 'mine/greet/SKILL.md': 'Mine.', file: 'A file.', link: { link: 'mine' } })
    for (const name of ['mine', 'file', 'link']) {
      await expect(extractFolder({ folder: `${path}/${name}`, files })).rejects.toThrow(
        expect.objectContaining({ code: 'E_STATE', message: expect.stringContaining(`${path}/${name} `) as string }),
      )
    }
    await expect(extractFolder({ folder: `${path}/file/below`, files })).rejects.toThrow(
      expect.objectContaining({ code: 'E_STATE' }),
    )
    expect([readdirSync(path), readFileSync(`${path}/mine/greet/SKILL.md`, 'utf8')]).toEqual([
      ['file', 'link', 'mine'],
      'Mine.',
    ])
  })

  it.each([
    [{ files: { '../escape': '' } }, 'leads out of'],
    [{ folder: 'relative' }, 'which is not absolute'],
    [{ marker: '../marker' }, 'not the name of a file'],
    [{ marker: '..' }, 'not the name of a file'],
    [
      { files: { '.Skills-bundled.marker': '' } },
      'contain ".Skills-bundled.marker", where the marker .skills-bundled.marker has to be written. Rename',
    ],
    [
      { files: { 'notes/x.md': '' }, marker: 'notes' },
      'contain "notes/x.md", where the marker notes has to be written',
    ],
  ])('is refused with %j', async (options, message) => {
    const { path } = temporary()
    await expect(extractFolder({ folder: `${path}/bundled`, files, ...options })).rejects.toThrow(
      expect.objectContaining({ code: 'E_INVALID_OPTION', message: expect.stringContaining(message) }),
    )
    expect(readdirSync(path)).toEqual([])
  })
})
