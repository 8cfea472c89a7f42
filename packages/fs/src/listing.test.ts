import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { temporary } from '../test/text-tree.js'
import { Lister } from './listing.js'

describe('listing a folder', () => {
  it('tells folders, links and skill files apart, in order', () => {
    const { path } = temporary({
      'b/x': '', 'a/x': '', B: { dir: true }, file: '', z: { link: 'a' }, link: { link: 'nowhere' }, 'SKILL.md': '', 'Skill.md': '',
      'skill.mdx': '', '.h/x': '',
    })
    expect(new Lister(path).step()).toEqual({ folders: ['.h', 'B', 'a', 'b'], links: ['link', 'z'], skillFiles: ['SKILL.md', 'Skill.md'] })
  })

  it('gives an empty listing of an empty folder', () => {
    expect(new Lister(temporary().path).step()).toEqual({ folders: [], links: [], skillFiles: [] })
  })

  it('takes a very large folder in several steps and loses nothing', () => {
    const names = Array.from({ length: 600 }, (_, at) => `f${String(at).padStart(4, '0')}`)
    const { path } = temporary(Object.fromEntries(names.map(name => [name, { dir: true }])))
    const lister = new Lister(path)
    let steps = 1
    let listing = lister.step()
    for (; listing === undefined; listing = lister.step()) steps++
    expect(steps).toBe(2)
    expect(listing.folders).toEqual(names)
  })

  it('throws what the system says of a folder that is not there, or is none', () => {
    const { path } = temporary({ file: '' })
    expect(() => new Lister(`${path}/nowhere`)).toThrow(expect.objectContaining({ code: 'ENOENT' }))
    expect(() => new Lister(`${path}/file`)).toThrow(expect.objectContaining({ code: 'ENOTDIR' }))
  })

  it.runIf(process.platform === 'linux')('closes the folder at the end, and when told to (counted where /proc tells)', () => {
    const { path } = temporary(Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`${at}.txt`, ''])))
    const openFiles = (): number => readdirSync('/proc/self/fd').length
    const before = openFiles()
    const finished = new Lister(path)
    expect(openFiles()).toBe(before + 1)
    while (finished.step() === undefined) expect(openFiles()).toBe(before + 1)
    const given = new Lister(path)
    given.close()
    expect(openFiles()).toBe(before)
  })
})
