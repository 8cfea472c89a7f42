import {
  createSkills,
  defineProvider,
  loadResult,
  type Catalog,
  type Diagnostic,
  type PromptCommand,
  type Skills,
} from '@skills/core'
import { fakeClock, fakeHost, tempTree, type TempTree, type TreeEntries } from '@skills/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { standard, type StandardOptions } from './agents/standard/index.js'

const uid = process.getuid?.()

function temporary(entries: TreeEntries): TempTree {
  const tree = tempTree(entries)
  onTestFinished(() => tree.dispose())
  return tree
}

/** Makes the standard engine over a tree with `home` and `repo`, without managed skills of this machine. */
function standardOver(path: string, options: Partial<StandardOptions> = {}, told: Diagnostic[] = []): Skills {
  const host = fakeHost({ cwd: `${path}/repo`, home: `${path}/home`, uid, clock: fakeClock(Date.now() + 60_000) })
  const skills = createSkills(
    standard({
      host,
      managed: { dirs: [] },
      bundled: false,
      builtin: false,
      onDiagnostic: diagnostic => told.push(diagnostic),
      ...options,
    }),
  )
  onTestFinished(() => skills.close())
  return skills
}

function shown(catalog: Catalog): readonly string[] {
  return catalog.entries.map(({ name, command }) => `${name} from ${command.source}`)
}

describe('the standard distribution', () => {
  it('has these defaults', () => {
    const onDiagnostic = (): void => {}
    const { host, plugins, kinds, ...rest } = standard({ onDiagnostic })
    expect(rest).toEqual({
      name: 'standard',
      precedence: ['managed', 'user', 'project', 'additional', 'plugin', 'bundled', 'mcp', 'legacy', 'builtin'],
      qualifyLosers: true,
      onDiagnostic,
      warningsOf: expect.any(Function) as unknown,
      tool: { suggests: true },
      port: { isListed: expect.any(Function) as unknown, leavesOutDenied: true },
      invoker: {},
      visibility: {},
      inline: {},
      shell: {},
      fork: {},
      listing: {},
    })
    expect(kinds?.map(({ kind }) => kind)).toEqual([
      'trust',
      'permission',
      'executor',
      'runner',
      'hooks',
      'tracer',
      'state',
      'runs',
      'expander',
      'shell',
      'formatter',
      'strategy',
    ])
    expect(plugins.flat().map(({ kind, id }) => `${kind} ${id}`)).toEqual([
      'source managed',
      'gate managed-policy',
      'source user',
      'source project',
      'source builtin',
      'source plugin',
      'gate conditional',
      'source nested',
      'state files',
      'trust trust',
      'permission rules',
      'expander text',
      'expander shell',
      'executor inline',
      'executor fork',
      'hooks command',
      'formatter budget',
      'gate needs',
    ])
    expect(host).toMatchObject({ cwd: process.cwd(), platform: process.platform })
  })

  it("loads the user's and the project's skills, of .claude and .agents, searched deeply", async () => {
    const { path } = temporary({
      'home/.claude/skills/a/SKILL.md': 'a',
      'home/.agents/skills/group/b/SKILL.md': 'b',
      'repo/.git/HEAD': '',
      'repo/.claude/skills/group/c/SKILL.md': 'c',
      'repo/.agents/skills/d/SKILL.md': 'd',
      'repo/.claude/skills/e/skill.md': 'e',
      'repo/.github/skills/f/SKILL.md': 'f',
    })
    const told: Diagnostic[] = []
    expect(shown(await standardOver(path, {}, told).catalog())).toEqual([
      'a from user',
      'b from user',
      'e from project',
      'c from project',
      'd from project',
    ])
    expect(told).toMatchObject([{ code: 'other-case' }])
  })

  it("prefers the user's skill to the project's, and that to an additional one; the others keep a qualified name", async () => {
    const { path } = temporary({
      'home/.claude/skills/deploy/SKILL.md': 'the user',
      'repo/.git/HEAD': '',
      'repo/.claude/skills/deploy/SKILL.md': 'the project',
      'more/.claude/skills/deploy/SKILL.md': 'additional',
      'repo/apps/web/.claude/skills/deploy/SKILL.md': 'the web application',
      'repo/.agents/skills/deploy/SKILL.md': 'the user',
    })
    const skills = standardOver(path, {
      additional: [`${path}/more`],
      host: fakeHost({ cwd: `${path}/repo/apps/web`, home: `${path}/home`, uid }),
    })
    const catalog = await skills.catalog()
    expect(shown(catalog)).toEqual([
      'deploy from user',
      'apps/web:deploy from project',
      'project:deploy from project',
      'additional:deploy from additional',
    ])
    // Its text is the same as the user's, so one of them is enough.
    expect(catalog.collisions.map(({ rule, reachableAs }) => [rule, reachableAs])).toEqual([
      ['precedence', 'apps/web:deploy'],
      ['precedence', 'project:deploy'],
      ['same-text', undefined],
      ['precedence', 'additional:deploy'],
    ])
  })

  it("reaches a folder that is home and working folder at once as the user's", async () => {
    const { path } = temporary({ 'home/.claude/skills/a/SKILL.md': 'a', 'home/.agents/skills/b/SKILL.md': 'b' })
    const catalog = await standardOver(path, {
      host: fakeHost({ cwd: `${path}/home`, home: `${path}/home`, uid }),
    }).catalog()
    expect(shown(catalog)).toEqual(['a from user', 'b from user'])
    expect(catalog.collisions.map(({ name, rule, loser }) => [name, rule, loser.command.source])).toEqual([
      ['a', 'same-file', 'project'],
      ['b', 'same-file', 'project'],
    ])
  })

  it('takes over what else an engine is told: overrides, precedence, more plugins', async () => {
    const { path } = temporary({
      'home/.claude/skills/a/SKILL.md': 'of the user',
      'repo/.git/HEAD': '',
      'repo/.claude/skills/a/SKILL.md': 'of the project',
      'repo/.claude/skills/b/SKILL.md': 'b',
    })
    const command: PromptCommand = {
      type: 'prompt',
      name: 'help',
      displayName: 'help',
      aliases: [],
      description: 'Helps.',
      hasUserSpecifiedDescription: true,
      source: 'builtin',
      loadedFrom: 'builtin',
      userInvocable: true,
      isHidden: false,
      isEnabled: () => true,
      argumentNames: [],
      contentLength: 0,
      allowedTools: [],
      disallowedTools: [],
      context: 'inline',
      paths: [],
      shell: 'bash',
      requires: [],
      disableModelInvocation: false,
      isSkill: false,
      progressMessage: 'running',
      metadata: {},
      load: () => ({ template: '' }),
    }
    const own = defineProvider({
      kind: 'source',
      id: 'own',
      setup: () => ({ source: 'builtin', list: () => loadResult({ commands: [command] }) }),
    })
    const catalog = await standardOver(path, {
      overrides: { b: 'off' },
      precedence: ['builtin', 'project', 'user'],
      plugins: [own],
      qualifyLosers: false,
    }).catalog()
    expect(shown(catalog)).toEqual(['help from builtin', 'a from project'])
    expect(catalog.disabled.map(({ name }) => name)).toEqual(['b'])
  })

  it('asks this process only for what it is not told', () => {
    const { path } = temporary({})
    const own = { cwd: `${path}/work`, home: `${path}/home` }
    const { host } = standard({ host: own, onDiagnostic: () => {} })
    expect(host).toMatchObject({ ...own, platform: process.platform })
  })

  it('sees changes of any of its folders', async () => {
    const tree = temporary({ 'repo/.git/HEAD': '', 'repo/.claude/skills/a/SKILL.md': 'a' })
    const skills = standardOver(tree.path)
    const before = await skills.catalog()
    expect(await skills.refresh()).toBe(before)
    tree.write({ 'home/.agents/skills/b/SKILL.md': 'b', 'repo/.claude/skills/a/SKILL.md': 'changed' })
    expect(shown(await skills.refresh())).toEqual(['b from user', 'a from project'])
  })

  it('goes on without a working folder that is deleted while it is in use, and without a home folder', async () => {
    const tree = temporary({
      'repo/.git/HEAD': '',
      'repo/.claude/skills/a/SKILL.md': 'a',
      'repo/web/.claude/skills/b/SKILL.md': 'b',
    })
    const told: Diagnostic[] = []
    const host = fakeHost({
      cwd: `${tree.path}/repo/web`,
      home: `${tree.path}/nowhere`,
      uid,
      clock: fakeClock(Date.now() + 60_000),
    })
    const skills = standardOver(tree.path, { host }, told)
    const before = await skills.catalog()
    expect(shown(before)).toEqual(['b from project', 'a from project'])
    expect(told).toEqual([])
    tree.remove('repo/web')
    expect(shown(await skills.refresh())).toEqual(['a from project'])
    expect(told).toMatchObject([{ code: 'no-working-folder' }])
    expect((await skills.explain('b')).answers).toMatchObject([{ status: 'gone' }])
    const { command } = before.require('b')
    await expect(command.type === 'prompt' && command.load('', { signal: skills.signal })).rejects.toMatchObject({
      code: 'E_FILE_CHANGED',
    })
  })

  it('explains why there is no skill of a name', async () => {
    const { path } = temporary({
      'home/.claude/skills/deploy.md': '',
      'repo/.git/HEAD': '',
      'repo/.agents/skills/deploy/notes.md': '',
    })
    const { answers, notes } = await standardOver(path).explain('deploy')
    expect(answers).toEqual([])
    expect(notes.map(({ provider, path: at }) => [provider, at?.replace(`${path}/`, '')])).toEqual([
      ['project', 'repo/.agents/skills/deploy'],
      ['user', 'home/.claude/skills/deploy.md'],
    ])
  })
})
