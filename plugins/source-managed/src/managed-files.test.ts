import { chmodSync, chownSync } from 'node:fs'
import { fakeHost } from '@skills/testing'
import { createSkills } from '@skills/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { managedSource } from './index.js'
import { managing, shown, sourceOver, temporary } from '../test/engine.js'

const isRoot = process.getuid?.() === 0
const isPosix = process.platform !== 'win32'

describe('managed skills', () => {
  it('are those of .claude/skills in the managed folder, searched deeply', async () => {
    const { path } = temporary({
      'managed/.claude/skills/a/SKILL.md': 'a',
      'managed/.agents/skills/b/SKILL.md': 'b',
      'managed/.claude/skills/group/c/SKILL.md': 'c',
    })
    const running = managing(path)
    expect(await shown(running)).toEqual(['a from managed', 'c from managed'])
    expect(running.told).toEqual([])
    expect((await running.skills.catalog()).places).toEqual([
      { path: `${path}/managed/.claude/skills`, state: 'read', found: 2, provider: 'managed' },
    ])
  })

  it('have legacy commands beside them', async () => {
    const { path } = temporary({
      'managed/.claude/commands/git/push.md': 'Push.',
      'managed/.claude/skills/a/SKILL.md': 'a',
    })
    expect(await shown(managing(path))).toEqual(['a from managed', 'git:push from managed'])
    if (isPosix) chmodSync(`${path}/managed/.claude/commands/git`, 0o777)
    expect(await shown(managing(path))).toEqual(
      isPosix ? ['a from managed'] : ['a from managed', 'git:push from managed'],
    )
  })

  it('may stand in other folders, and in a layout of its own', async () => {
    const { path } = temporary({
      'managed/.agents/skills/b/SKILL.md': 'b',
      'managed/.agents/skills/group/c/SKILL.md': 'c',
      'managed/.agents/skills/b/agents/openai.yaml': 'policy: {allow_implicit_invocation: false}',
    })
    const { skills } = managing(path, [], { folders: ['.agents'], layout: { walk: 'flat' } })
    expect((await skills.catalog()).entries).toMatchObject([{ name: 'b', command: { disableModelInvocation: true } }])
  })

  it('are looked for in the topmost folder too, and in one beside it, where a program names these', async () => {
    const { path } = temporary({ 'beside/skills/a/SKILL.md': 'a', managed: { dir: true } })
    expect(await shown(managing(path, [], { folders: ['../beside'] }))).toEqual(['a from managed'])
    if (isPosix) chmodSync(`${path}/beside/skills`, 0o777)
    expect((await managing(path, [], { folders: ['../beside'] }).skills.catalog()).errors).toHaveLength(isPosix ? 1 : 0)
    expect(
      (await managing(path, [], { dirs: ['/'], folders: ['.no-such-folder'] }).skills.catalog()).places,
    ).toMatchObject([{ path: '/.no-such-folder/skills', state: 'missing' }])
  })

  it('need no managed folder', async () => {
    const { path } = temporary({ file: '' })
    for (const dirs of [[`${path}/nowhere`], [`${path}/file`], []]) {
      const running = managing(path, [], { dirs })
      expect(await shown(running), dirs[0]).toEqual([])
      expect(running.told).toEqual([])
    }
  })

  it.each([
    ['linux', '/etc/claude-code/.claude/skills'],
    ['freebsd', '/etc/claude-code/.claude/skills'],
    ['darwin', '/Library/Application Support/ClaudeCode/.claude/skills'],
    ['win32', 'C:/Program Files/ClaudeCode/.claude/skills'],
  ] as const)('are looked for on %s in %s', async (platform, expected) => {
    // A variable cannot change the folder.
    const host = fakeHost({ platform, env: { ProgramFiles: '/elsewhere', CLAUDE_CONFIG_DIR: '/elsewhere' } })
    const skills = createSkills({ host, plugins: [managedSource()], onDiagnostic: () => {} })
    onTestFinished(() => skills.close())
    const [place] = (await skills.catalog()).places
    expect(place?.path.endsWith(expected)).toBe(true)
  })

  it('of two managed folders: the first wins and the other keeps a qualified name', async () => {
    const { path } = temporary({
      'one/.claude/skills/deploy/SKILL.md': 'one',
      'two/.claude/skills/deploy/SKILL.md': 'two, that is',
      'two/.claude/skills/lint/SKILL.md': 'lint',
    })
    const running = managing(path, [], { dirs: [`${path}/one`, `${path}/two/`] })
    expect(await shown(running)).toEqual(['deploy from managed', 'lint from managed', 'managed:deploy from managed'])
    expect((await running.skills.catalog()).get('deploy')?.command).toMatchObject({
      baseDir: `${path}/one/.claude/skills/deploy`,
    })
  })
})

describe('a managed skill', () => {
  const entries = { 'managed/.claude/skills/deploy/SKILL.md': 'managed', 'user/deploy/SKILL.md': "the user's" }

  it('shadows others of its name', async () => {
    const { path } = temporary(entries)
    const running = managing(path, [sourceOver(path, 'user')])
    expect(await shown(running)).toEqual(['deploy from managed', 'user:deploy from user'])
    expect((await running.skills.explain('deploy')).answers).toMatchObject([
      { status: 'active', source: 'managed', shadows: [{ source: 'user' }] },
      { status: 'qualified', name: 'user:deploy', shadowedBy: { source: 'managed' } },
    ])
  })

  it('cannot be shadowed: not by another source, not by a display name or an alias, and another case is another name', async () => {
    const claim = '---\nname: deploy\naliases: [deploy]\n---\n'
    const { path } = temporary({
      ...entries,
      'user/claims/SKILL.md': claim,
      'bundled/deploy/SKILL.md': 'of the host',
      'plugin/claims-too/SKILL.md': claim,
      'plugin/DEPLOY/SKILL.md': 'In capitals.',
    })
    const plugins = ['user', 'bundled', 'plugin'].map(id => sourceOver(path, id))
    for (const given of [plugins, plugins.toReversed()]) {
      const { skills } = managing(path, given)
      const catalog = await skills.catalog()
      expect(catalog.get('deploy')?.command.source).toBe('managed')
      expect(catalog.require('deploy').command.source).toBe('managed')
      expect(catalog.warnings).toMatchObject([{ code: 'case-collision', name: 'DEPLOY' }])
      // A name that is exactly neither of them is ambiguous.
      expect(() => catalog.lookup('Deploy')).toThrow(expect.objectContaining({ code: 'E_AMBIGUOUS_NAME' }))
    }
  })

  it("keeps its place when a user's link leads to its file", async () => {
    const { path } = temporary({
      'managed/.claude/skills/deploy/SKILL.md': 'managed',
      'user/deploy': { link: '../managed/.claude/skills/deploy' },
    })
    const { skills } = managing(path, [sourceOver(path, 'user')])
    expect((await skills.catalog()).collisions).toMatchObject([{ rule: 'same-file', winner: { provider: 'managed' } }])
  })

  it('gives way where a distribution puts another source first, and stays reachable', async () => {
    const { path } = temporary(entries)
    expect(await shown(managing(path, [sourceOver(path, 'user')], {}, { precedence: ['user', 'managed'] }))).toEqual([
      'deploy from user',
      'managed:deploy from managed',
    ])
  })
})

describe.runIf(isPosix)('a managed skill that others could have put there', () => {
  const entries = { 'managed/.claude/skills/a/SKILL.md': 'a', 'managed/.claude/skills/group/b/SKILL.md': 'b' }

  it.each(['managed', 'managed/.claude', 'managed/.claude/skills'])(
    'is not loaded where everybody may write to %s',
    async open => {
      const { path } = temporary({ ...entries, 'good/.claude/skills/c/SKILL.md': 'c' })
      for (const mode of [0o777, 0o1777]) {
        chmodSync(`${path}/${open}`, mode)
        const running = managing(path, [], { dirs: [`${path}/managed`, `${path}/good`] })
        expect(await shown(running)).toEqual(['c from managed'])
        const { errors, places } = await running.skills.catalog()
        expect(errors).toEqual([
          {
            severity: 'error',
            type: 'validation',
            code: 'open-to-others',
            path: `${path}/${open}`,
            provider: 'managed',
            message: `${path}/${open} may be written to by everybody, and managed skills are trusted, so nothing in it is loaded.`,
            hint: 'Have an administrator run "chown root" and "chmod go-w" on it.',
          },
        ])
        expect(places).toContainEqual({
          path: `${path}/managed/.claude/skills`,
          state: 'skipped',
          found: 0,
          provider: 'managed',
          note: 'Users other than an administrator may write to this folder.',
        })
      }
    },
  )

  it.each([
    ['a folder of its own', 'a', 'a'],
    ['its file', 'a/SKILL.md', 'a'],
    ['a folder between', 'group', 'b'],
  ])('is left out alone where %s is open', async (_what, open, name) => {
    const { path } = temporary(entries)
    chmodSync(`${path}/managed/.claude/skills/${open}`, 0o777)
    const { skills } = managing(path)
    const catalog = await skills.catalog()
    expect(catalog.entries.map(entry => entry.name)).toEqual(['a', 'b'].filter(one => one !== name))
    expect(catalog.errors).toMatchObject([
      { code: 'open-to-others', path: `${path}/managed/.claude/skills/${open}`, name },
    ])
    expect(catalog.places).toMatchObject([{ found: 1 }])
    expect((await skills.explain(name)).answers).toMatchObject([{ status: 'failed' }])
  })

  it('is left out where its link leads to what others may write to', async () => {
    const { path } = temporary({
      'elsewhere/a/SKILL.md': { content: 'a', mode: 0o666 },
      'managed/.claude/skills/a': { link: '../../../elsewhere/a' },
    })
    const { skills } = managing(path)
    expect((await skills.catalog()).errors).toMatchObject([
      { code: 'open-to-others', path: `${path}/managed/.claude/skills/a/SKILL.md` },
    ])
  })

  it('comes and goes with the rights, although no file changes', async () => {
    const { path } = temporary(entries)
    const running = managing(path)
    const before = await running.skills.catalog()
    expect(await running.skills.refresh()).toBe(before)
    chmodSync(`${path}/managed/.claude/skills/a/SKILL.md`, 0o666)
    const during = await running.skills.refresh()
    expect(during.entries.map(({ name }) => name)).toEqual(['b'])
    expect(await running.skills.refresh()).toBe(during)
    chmodSync(`${path}/managed/.claude/skills/a/SKILL.md`, 0o644)
    expect((await running.skills.refresh()).entries.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('goes with its rights also when only something else is said to have changed', async () => {
    const { path } = temporary(entries)
    const { skills } = managing(path)
    await skills.catalog()
    chmodSync(`${path}/managed/.claude/skills/a/SKILL.md`, 0o666)
    expect((await skills.refresh([`${path}/managed/.claude/skills/group`])).errors).toMatchObject([
      { code: 'open-to-others', name: 'a', path: `${path}/managed/.claude/skills/a/SKILL.md` },
    ])
  })

  it.runIf(isRoot)(
    'is not loaded when its folder belongs to another user, or another group may write to it (given away by the superuser)',
    async () => {
      const { path } = temporary(entries)
      chownSync(`${path}/managed/.claude`, 65534, 0)
      expect((await managing(path).skills.catalog()).errors).toMatchObject([
        { message: expect.stringContaining(' 65534') },
      ])
      expect(await shown(managing(path, [], { owner: 65534 }))).toEqual(['a from managed', 'b from managed'])
      chownSync(`${path}/managed/.claude`, 0, 65534)
      chmodSync(`${path}/managed/.claude`, 0o775)
      expect((await managing(path).skills.catalog()).errors).toMatchObject([
        { message: expect.stringContaining('group with') },
      ])
      chownSync(`${path}/managed/.claude`, 0, 0)
      expect(await shown(managing(path))).toEqual(['a from managed', 'b from managed'])
    },
  )

  it('is loaded on Windows, where the mode says nothing', async () => {
    const { path } = temporary(entries)
    chmodSync(`${path}/managed`, 0o777)
    expect(await shown(managing(path, [], {}, { host: fakeHost({ platform: 'win32' }) }))).toEqual([
      'a from managed',
      'b from managed',
    ])
  })
})
