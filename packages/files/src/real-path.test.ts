import { describe, expect, it } from 'vitest'
import { temporary } from '../test/text-tree.js'
import { withoutRoot } from '@skills/testing'
import { isInside } from '@skills/store'
import { escapeProblem, followLink, realPathOf, lstatOf, statOf } from './real-path.js'

describe('a real path', () => {
  it('has every link resolved, and is undefined where nothing is', () => {
    const { path } = temporary({ 'real/file': '', link: { link: 'real' }, dangling: { link: 'nowhere' } })
    expect(realPathOf(`${path}/link/file`)).toBe(`${path}/real/file`)
    expect(realPathOf(`${path}/nowhere`)).toBeUndefined()
    expect(realPathOf(`${path}/dangling`)).toBeUndefined()
    expect(realPathOf(`${path}/real/file/below`)).toBeUndefined()
  })

  it('throws where it cannot be told', async () => {
    const { path } = temporary({ loop: { link: 'loop' }, 'closed/file': '', closed: { dir: true, mode: 0 } })
    expect(() => realPathOf(`${path}/loop`)).toThrow(expect.objectContaining({ code: 'ELOOP' }))
    await withoutRoot(async () =>
      expect(() => realPathOf(`${path}/closed/file`)).toThrow(expect.objectContaining({ code: 'EACCES' })),
    )
  })
})

describe('the stats of a path', () => {
  it('are those of a link or of what it leads to', () => {
    const { path } = temporary({ file: '', link: { link: 'file' } })
    expect(lstatOf(`${path}/link`)?.isSymbolicLink()).toBe(true)
    expect(statOf(`${path}/link`)?.isFile()).toBe(true)
  })

  it('are undefined where nothing is or may be seen', () => {
    const { path } = temporary({ loop: { link: 'loop' } })
    for (const name of ['nowhere', 'loop', 'x'.repeat(300), 'loop/below'])
      expect(statOf(`${path}/${name}`)).toBeUndefined()
  })
})

describe('inside a folder', () => {
  it.each([
    ['/a', '/a', true],
    ['/a/b', '/a', true],
    ['/ab', '/a', false],
    ['/', '/a', false],
    ['/a', '/', true],
    ['/a/b', '/a/', true],
  ])('%s in %s: %s', (path, folder, answer) => {
    expect(isInside(path, folder)).toBe(answer)
  })
})

describe('following a link', () => {
  it('gives where it leads', () => {
    const { path } = temporary({ file: '', link: { link: 'file' } })
    expect(followLink(`${path}/link`, undefined)).toEqual({ realPath: `${path}/file` })
    expect(followLink(`${path}/link`, [path])).toEqual({ realPath: `${path}/file` })
  })

  it.each([
    ['dangling', 'io', 'dangling-link'],
    ['loop', 'io', 'unreadable'],
    ['out', 'traversal', 'link-escapes'],
  ])('gives a problem with a hint for %s', (name, type, code) => {
    const { path } = temporary({ dangling: { link: 'nowhere' }, loop: { link: 'loop' }, out: { link: '/' } })
    expect(followLink(`${path}/${name}`, [path])).toEqual({
      problem: expect.objectContaining({
        severity: 'error',
        type,
        code,
        path: `${path}/${name}`,
        hint: expect.any(String),
      }),
    })
  })

  it('leads to folders of a folder with an asterisk behind it, and to files by their own names', () => {
    const { path } = temporary({
      'mine/a/SKILL.md': '',
      'mine/a/.env': '',
      'mine.b/file': '',
      x: { link: 'mine/a' },
      all: { link: 'mine' },
      'y/SKILL.md': { link: '../mine/a/SKILL.md' },
      'z/SKILL.md': { link: '../mine/a/.env' },
      w: { link: 'mine.b' },
    })
    const leads = (name: string): boolean =>
      'realPath' in followLink(`${path}/${name}`, [`${path}/y`, `${path}/mine/*`])
    expect(['x', 'all', 'y/SKILL.md', 'z/SKILL.md', 'w', 'x/SKILL.md', 'x/.env'].filter(leads)).toEqual([
      'x',
      'all',
      'y/SKILL.md',
      'x/SKILL.md',
      'x/.env',
    ])
    expect(followLink(`${path}/z/SKILL.md`, ['//*'])).toMatchObject({ problem: { code: 'link-escapes' } })
    expect(followLink(`${path}/z/SKILL.md`, ['/'])).toMatchObject({ realPath: `${path}/mine/a/.env` })
  })

  it('leads nowhere when no folder is allowed', () => {
    expect(escapeProblem('/a/link', '/a/file', [])).toMatchObject({ code: 'link-escapes' })
    expect(escapeProblem('/a/link', '/a/file', undefined)).toBeUndefined()
  })
})
