import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { foundIn, problemsIn, temporary, textTree } from '../test/text-tree.js'

describe.each(['auto', 'callbacks'] as const)('a root that may be a skill, reading with %s,', reads => {
  const options = { reads, mayBeSkill: true } as const

  it('is that one skill when it holds a SKILL.md, and is not searched for others', async () => {
    const { path } = temporary({ 'own/SKILL.md': 'own', 'own/other/SKILL.md': 'other' })
    const names: string[] = []
    const tree = textTree(`${path}/own`, { ...options, onRead: ({ name }) => names.push(name) })
    expect((await tree.scan()).items).toEqual([{ relative: '', path: `${path}/own/SKILL.md`, text: 'own' }])
    expect(names).toEqual(['own'])
    expect(await tree.rescan()).toBeUndefined()
  })

  it('is a folder of skills when it holds none, and notices that it becomes one and ceases to be one', async () => {
    const temp = temporary({ 'own/other/SKILL.md': 'other' })
    const tree = textTree(`${temp.path}/own`, options)
    expect(foundIn(await tree.scan())).toEqual(['other'])
    temp.write({ 'own/SKILL.md': 'own' })
    expect(foundIn(await tree.rescan())).toEqual([''])
    rmSync(`${temp.path}/own/SKILL.md`)
    expect(foundIn(await tree.rescan())).toEqual(['other'])
  })

  it('may be a file of any name, which is read again when it changes', async () => {
    const { path } = temporary({ 'a.md': 'text', 'b/c.md': 'other' })
    const names: string[] = []
    const tree = textTree(`${path}/a.md`, { ...options, onRead: ({ name }) => names.push(name) })
    expect((await tree.scan()).items).toMatchObject([{ path: `${path}/a.md`, text: 'text' }])
    expect(names).toEqual(['a'])
    expect(await tree.rescan()).toBeUndefined()
    writeFileSync(`${path}/a.md`, 'longer text')
    expect((await tree.rescan())?.items).toMatchObject([{ text: 'longer text' }])
    rmSync(`${path}/a.md`)
    expect(await tree.rescan()).toMatchObject({ root: 'missing', items: [] })
  })

  it('turns from a file into a folder', async () => {
    const temp = temporary({ own: 'text' })
    const tree = textTree(`${temp.path}/own`, options)
    expect((await tree.scan()).items).toMatchObject([{ text: 'text' }])
    rmSync(`${temp.path}/own`)
    temp.write({ 'own/x/SKILL.md': 'x' })
    expect(foundIn(await tree.rescan())).toEqual(['x'])
  })

  it('is bound by the rules for links and for what is no file', async () => {
    const { path } = temporary({
      'out/SKILL.md': 'out',
      'in/own/SKILL.md': { link: '../../out/SKILL.md' },
      'in/link': { link: '../out' },
      'in/odd/SKILL.md': { dir: true },
    })
    const within = [`${path}/in`]
    const problems = async (name: string) =>
      problemsIn(await textTree(`${path}/in/${name}`, { ...options, within }).scan(), `${path}/in`)
    expect(await problems('own')).toEqual(['error link-escapes own/SKILL.md'])
    expect(await problems('link')).toEqual(['error link-escapes link'])
    expect(await problems('odd')).toEqual(['error not-a-file odd/SKILL.md'])
  })

  it.skipIf(process.platform === 'win32')(
    'is told of as what it is when it is neither a folder nor a regular file',
    async () => {
      const { path } = temporary()
      execFileSync('mkfifo', [`${path}/c.md`])
      const state = await textTree(`${path}/c.md`, options).scan()
      expect(state.items).toEqual([])
      expect(state.problems).toMatchObject([
        { code: 'not-a-file', message: expect.stringContaining(`${path}/c.md is a named pipe,`) },
      ])
    },
  )

  it('takes a skill.md for its own, with a warning', async () => {
    const { path } = temporary({ 'own/skill.md': 'own' })
    const state = await textTree(`${path}/own`, options).scan()
    expect(state.items).toMatchObject([{ text: 'own' }])
    expect(problemsIn(state, path)).toEqual(['warning other-case own/skill.md'])
  })
})

it('a file that is a root all the same is no folder of skills', async () => {
  const { path } = temporary({ 'a.md': 'text' })
  const state = await textTree(`${path}/a.md`).scan()
  expect(state).toMatchObject({ root: 'unreadable', items: [], problems: [{ code: 'unreadable' }] })
})
