import { chownSync } from 'node:fs'
import { fileStore } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { conditional, start } from '../test/engine.js'

const isRoot = process.getuid?.() === 0

describe('a folder below the working folder', () => {
  it('has its skills found when a file in it is touched, in every parent up to the working folder', async () => {
    const { touch, names, skills, changes, cwd } = start({
      'repo/.claude/skills/top/SKILL.md': 'x',
      'repo/apps/.claude/skills/b/SKILL.md': 'x',
      'repo/apps/web/.agents/skills/c/SKILL.md': 'x',
      'repo/apps/web/.claude/commands/d.md': 'x',
      'repo/libs/.claude/skills/e/SKILL.md': 'x',
      '.claude/skills/outside/SKILL.md': 'x',
      'repo/apps/web/src/x.ts': '',
    })
    expect(await names()).toEqual(['top'])
    touch('apps/web/src/x.ts')
    expect(await names()).toEqual(['top', 'c', 'b', 'd'])
    expect(changes).toEqual([{ added: ['c', 'b', 'd'], removed: [], changed: [], reason: 'discovery' }])
    const catalog = await skills.catalog()
    expect(catalog.get('c')).toMatchObject({
      provider: 'nested',
      isQualified: false,
      command: { source: 'project', baseDir: `${cwd}/apps/web/.agents/skills/c` },
    })
    expect(
      catalog.places.filter(({ provider }) => provider === 'nested').map(({ path }) => path.slice(cwd.length)),
    ).toEqual(['/apps/web/.agents/skills', '/apps/web/.claude/commands', '/apps/.claude/skills'])
  })

  it('has a skill whose name is taken qualified by its folder, the deepest first', async () => {
    const text = (own: string): string => `---\ndescription: ${own}\n---\n${own}\n`
    const { touch, names } = start({
      'repo/.claude/skills/deploy/SKILL.md': text('top'),
      'repo/apps/.claude/skills/deploy/SKILL.md': text('apps'),
      'repo/apps/web/.claude/skills/deploy/SKILL.md': text('web'),
      'repo/apps/.claude/skills/lint/SKILL.md': text('apps lint'),
      'repo/apps/web/.claude/skills/lint/SKILL.md': text('web lint'),
      'repo/apps/web/x': '',
    })
    await names()
    touch('apps/web/x')
    // None of the two has the plain name `lint`, since nothing says which is meant.
    expect(await names()).toEqual(['deploy', 'apps/web:lint', 'apps/web:deploy', 'apps:deploy', 'apps:lint'])
  })

  it('gives its skill the plain name where the deepest wins', async () => {
    const { touch, names, skills } = start(
      {
        'repo/.claude/skills/deploy/SKILL.md': 'The top.',
        'repo/apps/web/.claude/skills/deploy/SKILL.md': 'The deepest.',
        'repo/apps/.claude/skills/deploy/SKILL.md': 'Between.',
        'repo/apps/web/x': '',
      },
      { clash: 'deepest-wins' },
    )
    await names()
    touch('apps/web/x')
    expect(await names()).toEqual(['deploy', 'apps:deploy', 'project:deploy'])
    expect((await skills.catalog()).get('deploy')?.command.description).toBe('The deepest.')
  })

  it('is found in any order files are touched, with the same outcome', async () => {
    const entries = {
      'repo/a/.claude/skills/x/SKILL.md': 'One.',
      'repo/b/c/.claude/skills/x/SKILL.md': 'Another one.',
      'repo/b/.claude/skills/x/SKILL.md': 'A third one of them.',
    }
    const outcomes = await Promise.all(
      [
        ['a/f', 'b/c/f'],
        ['b/c/f', 'a/f'],
        ['b/f', 'a/f', 'b/c/f'],
      ].map(async files => {
        const { touch, names } = start(entries)
        await names()
        for (const file of files) {
          touch(file)
          await names()
        }
        return names()
      }),
    )
    expect(outcomes).toEqual([0, 1, 2].map(() => ['b/c:x', 'a:x', 'b:x']))
  })

  it('is skipped when git ignores it, and says so', async () => {
    const { touch, names, skills, cwd } = start({
      'repo/.gitignore': 'build/\n',
      'repo/.git/info/exclude': 'mine/\n',
      'repo/apps/.gitignore': '/gen\n',
      'repo/build/x/.claude/skills/a/SKILL.md': 'x',
      'repo/mine/.claude/skills/b/SKILL.md': 'x',
      'repo/apps/gen/.claude/skills/c/SKILL.md': 'x',
      'repo/apps/kept/.claude/skills/d/SKILL.md': 'x',
    })
    await names()
    touch('build/x/f', 'mine/f', 'apps/gen/f', 'apps/kept/f')
    expect(await names()).toEqual(['d'])
    expect(
      (await skills.catalog()).places
        .filter(({ state }) => state === 'skipped')
        .map(({ path, note }) => [path.slice(cwd.length), note]),
    ).toEqual([
      ['/apps/gen', 'Git ignores it.'],
      ['/build/x', 'Git ignores it.'],
      ['/mine', 'Git ignores it.'],
    ])
  })

  it('goes by the .gitignore files from the repository’s root on, when one works further down', async () => {
    const { touch, names } = start(
      {
        'repo/.gitignore': 'apps/web/out\n',
        'repo/apps/web/out/.claude/skills/a/SKILL.md': 'x',
        'repo/apps/web/in/.claude/skills/b/SKILL.md': 'x',
      },
      { cwd: 'repo/apps' },
    )
    await names()
    touch('web/out/f', 'web/in/f')
    expect(await names()).toEqual(['b'])
  })

  it('is not looked at in node_modules and .git, nor outside the working folder', async () => {
    const { touch, names, skills, tree, loads } = start({
      'repo/node_modules/p/.claude/skills/a/SKILL.md': 'x',
      'repo/.git/hooks/.claude/skills/b/SKILL.md': 'x',
      'other/.claude/skills/c/SKILL.md': 'x',
      'repo-two/in/.claude/skills/d/SKILL.md': 'x',
    })
    await names()
    touch('node_modules/p/f', '.git/hooks/f', '../other/f', '../repo-two/in/f')
    skills.emit('file:touched', { paths: [`${tree.path}/other/f`, '/', ''] })
    expect(await names()).toEqual([])
    expect(loads()).toBe(1)
  })

  it('that is looked at once is not looked at again before it is invalidated', async () => {
    const store = fileStore({ root: 'repo/apps' })
    const { touch, names, skills, tree, cwd, loads } = start(
      { 'repo/apps/web/x': '', 'repo/apps/api/x': '' },
      { tree: store.tree },
    )
    await names()
    touch('apps/web/x')
    expect(await names()).toEqual([])
    tree.write({ 'repo/apps/web/.claude/skills/a/SKILL.md': 'x', 'repo/apps/.claude/skills/b/SKILL.md': 'x' })
    const counter = store.countReads()
    onTestFinished(() => counter.stop())
    touch('apps/web/x', 'apps/web/y', 'apps/z')
    expect(await names()).toEqual([])
    expect([counter.reads, loads()]).toEqual([0, 1])
    skills.invalidate([`${cwd}/apps/web`])
    expect(await names()).toEqual(['a', 'b'])
  })

  it('is looked at again as a whole when everything is invalidated, and for its own paths alone else', async () => {
    const { touch, names, skills, tree, cwd } = start({ 'repo/a/x': '', 'repo/b/x': '' })
    await names()
    touch('a/x', 'b/x')
    await names()
    tree.write({ 'repo/a/.claude/skills/a/SKILL.md': 'x', 'repo/b/.claude/skills/b/SKILL.md': 'x' })
    skills.invalidate([`${cwd}/a/.claude/skills/a/SKILL.md`])
    expect(await names()).toEqual(['a'])
    skills.invalidate()
    expect(await names()).toEqual(['a', 'b'])
    tree.remove('repo/a/.claude')
    await skills.refresh()
    expect(await names()).toEqual(['b'])
  })

  it('that is not there yet is looked at when it is, also after it was gone', async () => {
    const { touch, names, skills, tree } = start({})
    await names()
    touch('new/deep/x')
    await names()
    tree.write({ 'repo/new/deep/x': '', 'repo/new/.claude/skills/a/SKILL.md': 'x' })
    touch('new/deep/x')
    expect(await names()).toEqual(['a'])
    tree.remove('repo/new')
    await skills.refresh()
    expect(await names()).toEqual([])
    tree.write({ 'repo/new/.claude/skills/b/SKILL.md': 'x' })
    touch('new/x')
    expect(await names()).toEqual(['b'])
  })

  it('has a skill with paths woken by the very file that led to it', async () => {
    const { touch, awake, names } = start({
      'repo/apps/.claude/skills/a/SKILL.md': conditional('apps/*.ts'),
      'repo/apps/.claude/skills/b/SKILL.md': conditional('lib/'),
    })
    await names()
    touch('apps/x.ts')
    expect(await awake()).toEqual(['a'])
    expect(await names()).toEqual(['a', 'b'])
  })

  it('follows links within the repository and none out of it', async () => {
    const { touch, names, told } = start({
      'private/skills/a/SKILL.md': 'Private.',
      'private/nest/.claude/skills/b/SKILL.md': 'Private too.',
      'repo/docs/c/SKILL.md': 'x',
      'repo/apps/.claude/skills/c': { link: '../../../docs/c' },
      'repo/apps/.claude/skills/a': { link: '../../../../private/skills/a' },
      'repo/linked': { link: '../private/nest' },
    })
    await names()
    touch('apps/x', 'linked/x')
    expect(await names()).toEqual(['c'])
    expect(told.map(({ code }) => code)).toEqual(['link-escapes', 'link-escapes'])
  })

  it.runIf(isRoot)(
    'is skipped when it belongs to another user, and says so (given away by the superuser)',
    async () => {
      const { touch, names, told, cwd, skills } = start({
        'repo/theirs/.claude/skills/evil/SKILL.md': 'x',
        'repo/theirs/mine/.claude/skills/good/SKILL.md': 'x',
      })
      chownSync(`${cwd}/theirs`, 65534, 65534)
      await names()
      touch('theirs/mine/x')
      expect(await names()).toEqual(['good'])
      expect(told).toMatchObject([
        { severity: 'warning', code: 'foreign-folder', path: `${cwd}/theirs`, provider: 'nested' },
      ])
      expect((await skills.catalog()).places).toContainEqual({
        path: `${cwd}/theirs`,
        state: 'skipped',
        found: 0,
        note: expect.stringContaining('another user') as string,
        provider: 'nested',
      })
    },
  )

  it.each([
    ['1777', 0o1777],
    ['777', 0o777],
    ['702', 0o702],
  ] as const)('that everybody may write to is skipped, as one of mode %s', async (_shown, mode) => {
    const { touch, names, told } = start({
      'repo/shared': { dir: true, mode },
      'repo/shared/.claude/skills/evil/SKILL.md': 'x',
    })
    await names()
    touch('shared/x')
    expect(await names()).toEqual([])
    expect(told.map(({ code }) => code)).toEqual(['foreign-folder'])
  })

  it('takes folders of other agents and a layout as options, and files of an earlier session', async () => {
    const entries = {
      'repo/apps/.github/skills/a/SKILL.md': 'x',
      'repo/apps/.github/skills/group/b/SKILL.md': 'x',
      'repo/apps/.claude/skills/c/SKILL.md': 'x',
      'repo/apps/x': '',
    }
    const { names, touch } = start(entries, { folders: ['.github'], layout: { walk: 'flat' } })
    await names()
    touch('apps/x')
    expect(await names()).toEqual(['a'])
    const { tree } = start({})
    expect(await start(entries, { tree, touched: [`${tree.path}/repo/apps/x`] }).names()).toEqual(['c'])
  })

  it('tells of a name that it has no skill of', async () => {
    const { names, touch, skills } = start({ 'repo/apps/.claude/skills/a.md': 'x' })
    await names()
    touch('apps/x')
    expect((await skills.explain('a')).notes).toMatchObject([
      { provider: 'nested', text: expect.stringContaining('Move the file to') as string },
    ])
  })
})

it('a nested skill with paths waits for its files, unless nested skills are active at once', async () => {
  const text = '---\ndescription: Does one.\npaths: "*.css"\n---\nx\n'
  const files = {
    'repo/w/.claude/skills/one/SKILL.md': text,
    'repo/w/x.ts': '',
    'repo/.claude/skills/two/SKILL.md': text,
  }
  for (const nestedIsActive of [false, true]) {
    const { touch, awake } = start(files, { nestedIsActive })
    await awake()
    touch('w/x.ts')
    expect(await awake()).toEqual(nestedIsActive ? ['one'] : [])
  }
})
