import { describe, expect, it } from 'vitest'
import { problemsIn, temporary, textTree } from '../test/text-tree.js'

const skill = '---\nname: x\ndescription: Does a thing.\n---\nDo it.\n'

describe('files that are nearly skills', () => {
  it.each([
    ['SKILL', 'near-miss'],
    ['SKILL.txt', 'near-miss'],
    ['SKILL.md.txt', 'near-miss'],
    ['SKILL.markdown', 'near-miss'],
    ['Skills.md', 'near-miss'],
    ['skill.json', 'json-skill'],
    ['notes.md', 'near-miss'],
  ])('a folder with %s alone is reported as %s', async (file, code) => {
    const { path } = temporary({ [`deploy/${file}`]: skill })
    const state = await textTree(path).scan()
    expect(problemsIn(state, path)).toEqual([`warning ${code} deploy/${file}`])
    expect(state.problems.map(({ name }) => name)).toEqual(['deploy'])
  })

  it.each(['SKILL.md.bak', 'SKILL.md.off', 'SKILL.old', 'my-skill.txt', 'README.md', 'package.json'])(
    'a folder with %s alone is not',
    async file => {
      const { path } = temporary({ [`deploy/${file}`]: 'Text.\n' })
      expect((await textTree(path).scan()).problems).toEqual([])
    },
  )

  it('are single files of the folder of skills that are written as skills, with the place where they belong', async () => {
    const { path } = temporary({
      'deploy.md': skill,
      'README.md': skill,
      'notes.md': '# Notes\n',
      'page.md': '---\ntitle: A page\ndescription: Of a site.\n---\n',
      'open.md': '---\ndescription: Never closed.\n',
    })
    const state = await textTree(path, { walk: 'flat' }).scan()
    expect(problemsIn(state, path)).toEqual(['warning flat-skill deploy.md', 'warning flat-skill open.md'])
    expect(state.problems[0]).toMatchObject({ name: 'deploy', hint: `Move the file to ${path}/deploy/SKILL.md.` })
  })

  it('are not reported where such files are skills by themselves, nor beside a SKILL.md', async () => {
    const { path } = temporary({ 'deploy.md': skill, 'lint/SKILL.md': skill, 'lint/SKILL.txt': skill })
    expect((await textTree(path, { loose: 'root' }).scan()).problems).toEqual([])
    expect(problemsIn(await textTree(path).scan(), path)).toEqual(['warning flat-skill deploy.md'])
  })

  it('are gone with the next look after the repair', async () => {
    const tree = temporary({ 'deploy/SKILL.txt': skill })
    const text = textTree(tree.path)
    expect((await text.scan()).problems).toHaveLength(1)
    tree.remove('deploy/SKILL.txt')
    tree.write({ 'deploy/SKILL.md': skill })
    expect(await text.rescan()).toMatchObject({ problems: [], items: [{}] })
  })
})

describe('a link that git checked out as text', () => {
  const shared = { 'shared/skills/lint/SKILL.md': skill }

  it('is the folder of skills itself', async () => {
    const { path } = temporary({ ...shared, 'project/skills': '../shared/skills' })
    const { root, problems } = await textTree(`${path}/project/skills`).scan()
    expect(root).toBe('unreadable')
    expect(problems).toMatchObject([{ code: 'text-link', path: `${path}/project/skills`, severity: 'error' }])
    expect(problems[0]?.message).toContain(`${path}/shared/skills`)
    expect(problems[0]?.hint).toContain('git config core.symlinks true')
  })

  it('is the folder of one skill', async () => {
    const { path } = temporary({ ...shared, 'skills/lint': '../shared/skills/lint', 'skills/LICENSE': 'MIT/X11' })
    const state = await textTree(`${path}/skills`).scan()
    expect(problemsIn(state, `${path}/skills`)).toEqual(['error text-link lint'])
  })

  it.each([
    '../gone/skills',
    '/etc',
    '../shared/skills\n',
    'a sentence/with words',
    '//server/share',
    '../../../../..',
  ])('is not a file with %j, and an ordinary file in place of the folder stays one', async text => {
    const { path } = temporary({ ...shared, 'project/skills': text, 'skills/lint': text })
    const within = [path]
    const codes = (await textTree(`${path}/project/skills`, { within }).scan()).problems.map(({ code }) => code)
    expect(codes).toEqual(['unreadable'])
    expect((await textTree(`${path}/skills`, { within }).scan()).problems).toEqual([])
  })
})
