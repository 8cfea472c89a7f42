import { createSkills } from '@skills/core'
import { invocationKinds } from '@skills/invocation'
import { fileSource } from '@skills/files/source'
import { enginePort, formatterKind, skillTool } from '@skills/invocation/skill-tool'
import { fakeHost, fileStore, tempTree } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { conditional, start } from '../test/engine.js'
import { activation } from './index.js'

describe('a skill with paths', () => {
  it('is dormant until a file that matches is touched, and then it is active', async () => {
    const { touch, awake, skills, changes } = start({
      'repo/.claude/skills/api/SKILL.md': conditional('["src/api/**", "*.proto"]'),
      'repo/.claude/skills/always/SKILL.md': 'Always.',
    })
    expect(await awake()).toEqual(['always'])
    expect((await skills.catalog()).get('api')?.dormant).toBe(
      'It is not active until a file is touched that matches its paths: src/api/**, *.proto.',
    )
    touch('src/web/x.ts')
    expect(await awake()).toEqual(['always'])
    touch('src/api/deep/x.ts')
    expect(await awake()).toEqual(['always', 'api'])
    expect(changes).toEqual([{ added: [], removed: [], changed: ['api'], reason: 'activation' }])
  })

  it('stays active until the engine closes, after any touch, reload or change of its file', async () => {
    const { touch, awake, skills, tree, cwd } = start({ 'repo/.claude/skills/api/SKILL.md': conditional('src/') })
    await awake()
    touch('src/x.ts')
    expect(await awake()).toEqual(['api'])
    touch('lib/x.ts')
    skills.invalidate()
    expect(await awake()).toEqual(['api'])
    tree.write({ 'repo/.claude/skills/api/SKILL.md': conditional('other/') })
    await skills.refresh()
    expect(await awake()).toEqual(['api'])
    tree.remove('repo/.claude/skills/api')
    await skills.refresh()
    tree.write({ 'repo/.claude/skills/api/SKILL.md': conditional('third/') })
    await skills.refresh([cwd])
    expect(await awake()).toEqual(['api'])
  })

  it('is active at once when it comes after the file', async () => {
    const { touch, awake, skills, tree } = start({ 'repo/.claude/skills/a/SKILL.md': conditional('docs/') })
    await awake()
    touch('src/x.ts')
    tree.write({
      'repo/.claude/skills/b/SKILL.md': conditional('src/'),
      'repo/.claude/skills/c/SKILL.md': conditional('lib/'),
    })
    await skills.refresh()
    expect(await awake()).toEqual(['b'])
  })

  it('is not woken by files outside the working folder, of any name', async () => {
    const { awake, skills, tree, cwd, loads } = start({ 'repo/.claude/skills/a/SKILL.md': conditional('"*"') })
    await awake()
    const outside = [
      `${tree.path}/x.ts`,
      `${tree.path}/repo-two/x.ts`,
      `${cwd}/../y.ts`,
      `${cwd}/a/../../y`,
      cwd,
      `${cwd}/`,
      '/',
      '',
      `${cwd}/a\0b`,
    ]
    skills.emit('file:touched', { paths: outside })
    expect(await awake()).toEqual([])
    expect(loads()).toBe(1)
    skills.emit('file:touched', { paths: [`${cwd}/a/../b.ts`] })
    expect(await awake()).toEqual(['a'])
  })

  it('is woken by a path that has the working folder under its real name', async () => {
    const { awake, skills, tree } = start(
      { 'real/.claude/skills/a/SKILL.md': conditional('src/'), link: { link: 'real' } },
      { cwd: 'link' },
    )
    await awake()
    skills.emit('file:touched', { paths: [`${tree.path}/real/src/x.ts`] })
    expect(await awake()).toEqual(['a'])
  })

  it('can be looked up by a user before it is active, and explained before and after', async () => {
    const { awake, touch, skills } = start({ 'repo/.claude/skills/a/SKILL.md': conditional('src/') })
    await awake()
    expect((await skills.catalog()).lookup('a')?.command.userInvocable).toBe(true)
    expect((await skills.explain('a')).answers).toMatchObject([
      { status: 'active', isListed: false, notListedBecause: [{ text: expect.stringContaining(': src/.') }] },
    ])
    touch('src/x.ts')
    const { answers, notes } = await skills.explain('a')
    expect(answers).toMatchObject([{ isListed: true }])
    expect(notes).toEqual([{ text: 'The skill became active when "src/x.ts" was touched.', provider: 'conditional' }])
  })

  it('is seen by the catalog that is asked for right after the touch, the first one and later ones', async () => {
    const { awake, touch, skills } = start({
      'repo/.claude/skills/a/SKILL.md': conditional('src/'),
      'repo/.claude/skills/b/SKILL.md': conditional('lib/'),
    })
    await awake()
    touch('x', 'y', 'src/x')
    expect(await awake()).toEqual(['a'])
    touch('lib/x')
    expect((await skills.catalog()).get('b')?.dormant).toBeUndefined()
  })

  it('wakes while a load is under way, and the catalog that comes of it knows', async () => {
    const { awake, touch, skills } = start({
      'repo/.claude/skills/a/SKILL.md': conditional('src/'),
      'repo/.claude/skills/b/SKILL.md': conditional('lib/'),
    })
    await awake()
    for (const [at, file] of ['src/x', 'lib/x'].entries()) {
      skills.invalidate()
      const stop = skills.hook('sources:loading', () => touch(file))
      expect(await awake()).toHaveLength(at + 1)
      stop()
    }
  })

  it('is unknown to a model that invokes it, which hears of the condition', async () => {
    const { awake, touch, skills } = start(
      { 'repo/.claude/skills/a/SKILL.md': conditional('src/') },
      { kinds: [formatterKind, ...invocationKinds] },
    )
    await awake()
    const port = enginePort(skills)
    const tool = await skillTool(port)
    expect(await tool.validateInput({ skill: 'a' })).toEqual({
      result: false,
      errorCode: 2,
      message: expect.stringMatching(/^Unknown skill: a\. .*: src\/\.$/),
    })
    touch('src/x')
    expect(await tool.validateInput({ skill: 'a' })).toEqual({ result: true })
  })

  it('wakes without its file, or any other skill’s, being read again, and a touch that wakes nothing loads nothing', async () => {
    const store = fileStore({ root: 'repo/.claude/skills' })
    const { awake, touch, loads } = start(
      {
        'repo/.claude/skills/a/SKILL.md': conditional('src/'),
        'repo/.claude/skills/b/SKILL.md': conditional('lib/'),
        'repo/src/x': '',
      },
      { tree: store.tree },
    )
    await awake()
    const counter = store.countReads()
    onTestFinished(() => counter.stop())
    touch('src/x')
    expect(await awake()).toEqual(['a'])
    expect(loads()).toBe(2)
    for (const file of ['src/x', 'src/y', 'other/z']) touch(file)
    expect(await awake()).toEqual(['a'])
    expect([loads(), counter.reads]).toEqual([2, 0])
  })

  it('leaves the catalog as it is when nothing woke, and is not waited for when it is gone', async () => {
    const { awake, touch, skills, tree, loads } = start({
      'repo/.claude/skills/a/SKILL.md': conditional('src/'),
      'repo/.claude/skills/b/SKILL.md': conditional('lib/'),
    })
    await awake()
    touch('x')
    const before = await skills.catalog()
    expect(await skills.refresh()).toBe(before)
    tree.remove('repo/.claude/skills/a')
    await skills.refresh()
    const done = loads()
    touch('src/x')
    expect(await awake()).toEqual([])
    expect(loads()).toBe(done)
  })

  it('is woken by a file that is one too many to be remembered, if it is there by then', async () => {
    const { awake, touch, skills, tree } = start({ 'repo/.claude/skills/a/SKILL.md': conditional('src/') })
    await awake()
    touch(...Array.from({ length: 10_000 }, (_, at) => `f${at}`))
    expect(await awake()).toEqual([])
    touch('src/x')
    expect(await awake()).toEqual(['a'])
    tree.write({
      'repo/.claude/skills/b/SKILL.md': conditional('src/'),
      'repo/.claude/skills/c/SKILL.md': conditional('f9999'),
    })
    await skills.refresh()
    expect(await awake()).toEqual(['a', 'c'])
  })

  it('is not woken by what was touched before the first load, which is for `touched` to say', async () => {
    const entries = { 'repo/.claude/skills/a/SKILL.md': conditional('src/') }
    const { awake, touch } = start(entries)
    touch('src/x')
    expect(await awake()).toEqual([])
    touch('src/x')
    expect(await awake()).toEqual(['a'])
    const tree = tempTree()
    expect(await start(entries, { tree, touched: [`${tree.path}/repo/src/x`] }).awake()).toEqual(['a'])
  })

  it('is not waited for where there is none: the touches load nothing', async () => {
    const { awake, touch, loads } = start({ 'repo/.claude/skills/a/SKILL.md': 'Always.' })
    await awake()
    touch('src/x', 'y')
    await awake()
    expect(loads()).toBe(1)
  })

  it('is active from the beginning when a file of an earlier session matches', async () => {
    const tree = tempTree()
    const entries = {
      'repo/.claude/skills/a/SKILL.md': conditional('src/'),
      'repo/.claude/skills/b/SKILL.md': conditional('lib/'),
    }
    expect(await start(entries, { tree, touched: [`${tree.path}/repo/src/x`, `${tree.path}/lib/x`] }).awake()).toEqual([
      'a',
    ])
  })

  it('is active in the engine whose files were touched, and in no other of the same plugin', async () => {
    const plugin = activation()
    const tree = tempTree({ 'repo/.claude/skills/a/SKILL.md': conditional('src/') })
    onTestFinished(() => tree.dispose())
    const host = fakeHost({ cwd: `${tree.path}/repo` })
    const engine = () => {
      const source = fileSource({
        id: 'user',
        source: 'user',
        roots: () => ({ roots: [{ path: `${tree.path}/repo/.claude/skills` }] }),
      })
      const skills = createSkills({ host, plugins: [source, plugin], onDiagnostic: () => {} })
      onTestFinished(() => skills.close())
      return skills
    }
    const [first, second] = [engine(), engine()]
    await Promise.all([first.catalog(), second.catalog()])
    first.emit('file:touched', { paths: [`${tree.path}/repo/src/x`] })
    expect((await first.catalog()).get('a')?.dormant).toBeUndefined()
    expect((await second.catalog()).get('a')?.dormant).toBeDefined()
  })
})
