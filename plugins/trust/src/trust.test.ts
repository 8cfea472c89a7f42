import { chmodSync, statSync, utimesSync } from 'node:fs'
import { createSkills, defineProvider, loadResult, type Diagnostic } from '@skills/core'
import { trustKind, type TrustVerdict } from '@skills/invocation'
import { identityOf } from '@skills/files/internal'
import { memoryState, openState, stateKind, stateStore, type State } from '@skills/state'
import { fakeHost, withoutRoot } from '@skills/testing'
import { describe, expect, it } from 'vitest'
import { isPosix, isRoot, judged, never, temporary } from '../test/judged.js'
import { revokeFolder, trust, trustFolder } from './index.js'

const trusted: TrustVerdict = { level: 'trusted', isApproved: true }
const unapproved: TrustVerdict = { level: 'trusted', isApproved: false }
const untrusted: TrustVerdict = { level: 'untrusted', isApproved: false }
const remote: TrustVerdict = { level: 'remote', isApproved: false }

describe('a command', () => {
  it.each(['managed', 'user', 'bundled', 'builtin'])(
    'of the source %s is trusted, and needs no approval',
    async source => {
      const { judge, command, notes } = await judged()
      expect(await judge(command({ source }), true)).toEqual(trusted)
      expect(await judge(command({ source }))).toEqual(trusted)
      expect(await notes(command({ source }))).toEqual([])
    },
  )

  it.each(['project', 'additional'])('of the source %s is untrusted until its folder is trusted', async source => {
    const { judge, command, notes, trust: trustIt } = await judged()
    expect(await judge(command({ source }), true)).toEqual(untrusted)
    expect(await notes(command({ source, load: () => ({ template: '!`date`' }) }))).toMatchObject([
      { text: 'The commands that the skill embeds do not run until its folder is trusted.' },
    ])
    expect(await notes(command({ source, load: () => ({ template: 'Plain.' }) }))).toEqual([])
    await trustIt()
    expect(await judge(command({ source }), true)).toEqual(unapproved)
    expect(await notes(command({ source }))).toEqual([])
  })

  it.each(['workflow', 'legacy', '', '__proto__', 'toString', 'constructor', 'Project'])(
    'of a source %j that no one knows is untrusted, trusted folder or not',
    async source => {
      const { judge, command, trust: trustIt } = await judged()
      await trustIt()
      expect(await judge(command({ source }), true)).toEqual(untrusted)
    },
  )

  it('of a source that a distribution names is trusted as it says', async () => {
    const {
      judge,
      command,
      trust: trustIt,
    } = await judged({}, { sources: { workflow: 'folder', house: 'trusted', user: 'untrusted' } })
    expect(await judge(command({ source: 'workflow' }))).toEqual(untrusted)
    expect(await judge(command({ source: 'house' }))).toEqual(trusted)
    expect(await judge(command({ source: 'user' }))).toEqual(untrusted)
    await trustIt()
    expect(await judge(command({ source: 'workflow' }))).toEqual(unapproved)
  })

  it('that comes from a server is remote, even with options that trust its source', async () => {
    for (const options of [
      {},
      { all: true },
      { sources: { mcp: 'trusted', user: 'trusted' }, isNamed: () => true },
    ] as const) {
      const { judge, command, approve, notes } = await judged({}, options)
      for (const one of [
        command({ source: 'mcp' }),
        command({ source: 'user', loadedFrom: 'mcp' }),
        command({ source: 'plugin', pluginName: 'acme', loadedFrom: 'mcp' }),
      ]) {
        expect(await judge(one, true)).toEqual(remote)
        await expect(approve(one)).rejects.toThrow(expect.objectContaining({ code: 'E_STATE' }))
        expect(await notes(one)).toMatchObject([{ text: expect.stringContaining('from a server') }])
      }
    }
  })

  it('is trusted where trust is switched off, and needs no approval', async () => {
    const { judge, approve, command } = await judged({}, { all: true })
    for (const source of ['project', 'plugin', 'workflow'])
      expect(await judge(command({ source }), true)).toEqual(trusted)
    await approve()
  })
})

describe('a command of a plugin', () => {
  const from = (by: unknown): object => ({ source: 'plugin', loadedFrom: 'plugin', pluginName: 'acme', plugin: by })

  it.each([
    ['user', true],
    ['managed', true],
    ['host', false],
    ['project', false],
    ['unknown', false],
    [undefined, false],
    [['user'], false],
  ])('that the configuration of %j names is trusted: %j', async (by, isTrusted) => {
    const { judge, command } = await judged()
    expect(await judge(command(from({ from: by })), true)).toEqual(isTrusted ? trusted : untrusted)
  })

  it('that says nothing of its plugin is untrusted', async () => {
    const { judge, command, notes } = await judged()
    for (const parts of [{}, { plugin: null }, { plugin: 'user' }])
      expect(await judge(command({ source: 'plugin', pluginName: 'acme', ...parts }))).toEqual(untrusted)
    expect(await notes(command({ source: 'plugin' }))).toMatchObject([
      { text: expect.stringContaining(' administrator') },
    ])
    const named = (by: string) => notes(Object.assign(command({ source: 'plugin' }), { plugin: { from: by } }))
    expect(await named('command-line')).toMatchObject([
      {
        text: 'Its commands and hooks do not run: its plugin is named on the command line, which loads the plugin but does not trust it.',
      },
    ])
    expect(await named('project')).toMatchObject([{ text: expect.stringContaining('named by the project') }])
  })

  it('is trusted when the host vouches for it, but never when a project named it: it can call itself anything', async () => {
    const asked: string[] = []
    const { judge, command } = await judged({}, { isNamed: name => asked.push(name) > 0 && name === 'acme' })
    expect(await judge(command(from({ from: 'host' })))).toEqual(trusted)
    expect(await judge(command({ ...from({ from: 'host' }), pluginName: 'other' }))).toEqual(untrusted)
    expect(await judge(command({ ...from({ from: 'host' }), pluginName: undefined }))).toEqual(untrusted)
    expect(asked).toEqual(['acme', 'other'])
    expect(await judge(command(from({ from: 'project' })))).toEqual(untrusted)
    expect(asked).toEqual(['acme', 'other'])
  })

  it('is not trusted because it lies in a trusted folder', async () => {
    const { judge, command, trust: trustIt } = await judged()
    await trustIt()
    expect(await judge(command(from({ from: 'project' })))).toEqual(untrusted)
  })
})

describe('a skill of a project', () => {
  it('is trusted below a trusted folder, and only there', async () => {
    const {
      judge,
      command,
      project,
      tree,
      trust: trustIt,
    } = await judged({
      'home/app/apps/web/.claude/skills/web/SKILL.md': 'web',
      'home/app-2/.claude/skills/x/SKILL.md': 'x',
      'home/other/.claude/skills/y/SKILL.md': 'y',
    })
    await trustIt(`${project}/apps`)
    expect(await judge()).toEqual(untrusted)
    expect(await judge(command({ baseDir: `${project}/apps/web/.claude/skills/web` }))).toEqual(unapproved)
    await trustIt()
    expect(await judge()).toEqual(unapproved)
    for (const other of ['app-2/.claude/skills/x', 'other/.claude/skills/y'])
      expect(await judge(command({ baseDir: `${tree.path}/home/${other}` }))).toEqual(untrusted)
  })

  it('is trusted by its real path, whichever way one came', async () => {
    const {
      judge,
      command,
      project,
      tree,
      trust: trustIt,
    } = await judged({ way: { link: 'home/app' }, 'home/evil': { dir: true } })
    await trustIt(`${tree.path}/way`)
    expect(await judge(command({ baseDir: `${tree.path}/way/.claude/skills/deploy` }))).toEqual(unapproved)
    tree.write({ way: { link: 'home/evil' } })
    expect(await judge(command({ baseDir: `${tree.path}/way/.claude/skills/deploy` }))).toEqual(untrusted)
    expect(await judge(command({ baseDir: `${project}/../app/.claude/skills/deploy` }))).toEqual(unapproved)
  })

  it('is untrusted where a link leads out of what is trusted, or in from what is not', async () => {
    const {
      judge,
      command,
      project,
      tree,
      trust: trustIt,
    } = await judged({
      'home/evil/skill/SKILL.md': 'evil',
      'home/evil/mixed/run.sh': 'evil',
      'home/evil/mixed/SKILL.md': { link: '../../app/.claude/skills/deploy/SKILL.md' },
      'home/app/.claude/skills/whole': { link: '../../../evil/skill' },
      'home/app/.claude/skills/file/SKILL.md': { link: '../../../../evil/skill/SKILL.md' },
    })
    await trustIt()
    expect(await judge()).toEqual(unapproved)
    for (const baseDir of [
      `${project}/.claude/skills/whole`,
      `${project}/.claude/skills/file`,
      `${tree.path}/home/evil/mixed`,
    ]) {
      expect(await judge(command({ baseDir })), baseDir).toEqual(untrusted)
    }
  })

  it('is untrusted when it is not there any more', async () => {
    const { judge, tree, trust: trustIt } = await judged()
    await trustIt()
    tree.remove('home/app/.claude/skills/deploy/SKILL.md')
    expect(await judge()).toEqual(untrusted)
  })

  it('without files is trusted with the working folder, and needs no approval', async () => {
    const { judge, approve, command, trust: trustIt } = await judged()
    const bare = command({ baseDir: undefined })
    expect(await judge(bare, true)).toEqual(untrusted)
    await trustIt()
    expect(await judge(bare, true)).toEqual(trusted)
    await approve(bare)
  })

  it('is granted nothing by what the project itself holds', async () => {
    const grant = JSON.stringify({
      version: 1,
      value: { folders: [{ path: '/', since: 1 }], skills: [] },
      trust: true,
      isTrusted: true,
    })
    const names = [
      'trust.json',
      '.claude/settings.json',
      '.claude/trust.json',
      '.local/state/skills/trust.json',
      '.claude/skills/trust.json',
      '.claude/skills/deploy/trust.json',
    ]
    const { judge } = await judged(Object.fromEntries(names.map(name => [`home/app/${name}`, grant])))
    expect(await judge()).toEqual(untrusted)
  })

  it('is not trusted on account of an entry that no one may make', async () => {
    const { judge, state, tree, project } = await judged()
    for (const path of ['/', tree.path, `${tree.path}/home`, '', 'home', '.', 5, null, [project]]) {
      await state.update('trust', () => ({ folders: [{ path, since: 1 }] }), { signal: never })
      expect(await judge(), String(path)).toEqual(untrusted)
    }
    for (const value of [
      5,
      'x',
      [],
      { folders: {} },
      { folders: [null, 5, { path: project }] },
      { folders: project },
    ]) {
      await state.update('trust', () => value, { signal: never })
      expect(await judge()).toEqual(untrusted)
    }
    await state.update('trust', () => ({ folders: [{ path: project, since: 1 }] }), { signal: never })
    expect(await judge()).toEqual(unapproved)
  })

  it('is not judged for a caller that has aborted', async () => {
    const { judge, trust: trustIt } = await judged()
    await trustIt()
    await expect(judge(undefined, true, AbortSignal.abort())).rejects.toThrow(
      expect.objectContaining({ name: 'AbortError' }),
    )
  })
})

describe('an approval', () => {
  it('holds until something of the skill changes', async () => {
    const {
      judge,
      approve,
      command,
      tree,
      trust: trustIt,
    } = await judged({ 'home/app/.claude/skills/deploy/run.sh': { content: 'run', mode: 0o644 } })
    await trustIt()
    expect(await judge(command(), true)).toEqual(unapproved)
    await approve()
    expect(await judge(command(), true)).toEqual(trusted)
    // This call does not ask for the approval.
    expect(await judge(command(), false)).toEqual(unapproved)
    for (const [entry, before] of [
      [
        { 'home/app/.claude/skills/deploy/run.sh': { content: 'ruin', mode: 0o644 } },
        { 'home/app/.claude/skills/deploy/run.sh': { content: 'run', mode: 0o644 } },
      ],
      [
        { 'home/app/.claude/skills/deploy/run.sh': { content: 'run', mode: 0o755 } },
        { 'home/app/.claude/skills/deploy/run.sh': { content: 'run', mode: 0o644 } },
      ],
    ] as const) {
      if (!isPosix && 'mode' in entry) continue
      tree.write(entry)
      expect(await judge(command(), true)).toEqual(unapproved)
      tree.write(before)
      expect(await judge(command(), true)).toEqual(trusted)
    }
    tree.write({ 'home/app/.claude/skills/deploy/more/.hidden': '' })
    expect(await judge(command(), true)).toEqual(unapproved)
    await approve()
    expect(await judge(command(), true)).toEqual(trusted)
  })

  it('for once is kept nowhere, and counts only for who has it, as long as nothing changes', async () => {
    const { judge, approveOnce, state, tree, trust: trustIt } = await judged()
    await trustIt()
    const approved = await approveOnce()
    expect(approved).toMatch(/^[0-9a-f]{64}$/)
    expect(await state.read('approvals', { signal: never })).toBeUndefined()
    expect(await judge(undefined, true)).toEqual(unapproved)
    expect(await judge(undefined, true, never, approved)).toEqual(trusted)
    tree.write({ 'home/app/.claude/skills/deploy/SKILL.md': '!`evil`' })
    expect(await judge(undefined, true, never, approved)).toEqual(unapproved)
  })

  it('of a legacy command is of its file alone', async () => {
    const {
      judge,
      approve,
      command,
      tree,
      project,
      trust: trustIt,
    } = await judged({ 'home/app/.claude/commands/push.md': 'Push.' })
    const push = command({
      name: 'push',
      loadedFrom: 'commands',
      baseDir: undefined,
      filePath: `${project}/.claude/commands/push.md`,
    })
    await trustIt()
    await approve(push)
    tree.write({ 'home/app/.claude/commands/other.md': 'Other.' })
    expect(await judge(push, true)).toEqual(trusted)
    tree.write({ 'home/app/.claude/commands/push.md': 'Pull.' })
    expect(await judge(push, true)).toEqual(unapproved)
  })

  it('is of one skill: project, source, name and file', async () => {
    const {
      judge,
      approve,
      command,
      project,
      state,
      trust: trustIt,
    } = await judged({ 'home/app/apps/web/.claude/skills/deploy/SKILL.md': 'Deploy.' })
    await trustIt()
    await approve()
    expect(await judge(command({ name: 'release' }), true)).toEqual(unapproved)
    expect(await judge(command({ source: 'additional' }), true)).toEqual(unapproved)
    expect(await judge(command({ baseDir: `${project}/apps/web/.claude/skills/deploy` }), true)).toEqual(unapproved)
    expect(await state.read('approvals', { signal: never })).toEqual({
      skills: [
        {
          project,
          source: 'project',
          name: 'deploy',
          path: `${project}/.claude/skills/deploy/SKILL.md`,
          since: Date.UTC(2024, 0, 1),
          digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      ],
    })
    await approve()
    expect(await state.read('approvals', { signal: never })).toMatchObject({ skills: [{}] })
  })

  it('in another project is another', async () => {
    const state = memoryState().state
    const first = await judged({}, {}, { state })
    const second = await judged({}, {}, { state })
    const shared = { source: 'additional', baseDir: `${first.project}/.claude/skills/deploy` }
    await first.trust()
    await first.approve(first.command(shared))
    expect(await first.judge(first.command(shared), true)).toEqual(trusted)
    expect(await second.judge(second.command(shared), true)).toEqual(unapproved)
  })

  it('is not remembered of a skill that is not trusted', async () => {
    const { approve, state } = await judged()
    await expect(approve()).rejects.toThrow(
      expect.objectContaining({ code: 'E_STATE', message: expect.stringContaining('not trusted') }),
    )
    expect(await state.read('approvals', { signal: never })).toBeUndefined()
  })

  it('is not given to what was put there while the question was open', async () => {
    const { judge, approve, command, tree, trust: trustIt } = await judged()
    await trustIt()
    await judge(command(), true)
    tree.write({ 'home/app/.claude/skills/deploy/SKILL.md': '!`evil`' })
    await expect(approve()).rejects.toThrow(expect.objectContaining({ code: 'E_STATE' }))
    expect(await judge(command(), true)).toEqual(unapproved)
    await approve()
    expect(await judge(command(), true)).toEqual(trusted)
  })

  it('is refused before anyone is asked for what would have none', async () => {
    const {
      refuses,
      command,
      trust: trustIt,
    } = await judged(
      { 'home/app/.claude/skills/large/a': 'a', 'home/app/.claude/skills/large/SKILL.md': 'Large.' },
      { limits: { files: 2 } },
    )
    const large = command({ baseDir: `${command().baseDir ?? ''}/../large` })
    for (const one of [command(), large])
      expect(await refuses(one)).toBe(
        'Nothing in the skill runs, because the skill is not trusted. Trust its folder first.',
      )
    await trustIt()
    expect(await refuses(command())).toBeUndefined()
    expect(await refuses(large)).toContain(' 2 files')
    expect(await refuses(command({ source: 'mcp' }))).toContain(' server')
    expect(await refuses(command({ source: 'workflow' }))).toBe(
      'Nothing in the skill runs, because the skill is not trusted. Name the skill or its source as trusted first.',
    )
    for (const one of [command({ source: 'user' }), command({ baseDir: undefined })])
      expect(await refuses(one)).toBeUndefined()
  })

  it('whose reason lies in the skill is told as a diagnostic too, once, and one that lies in trust is not', async () => {
    const {
      refuses,
      judge,
      told,
      trust: trustIt,
    } = await judged({ 'home/app/.claude/skills/deploy/a': 'a' }, { limits: { files: 1 } })
    await refuses()
    expect(told).toEqual([])
    await trustIt()
    await refuses()
    await judge(undefined, true)
    await refuses()
    expect(told.map(({ code }) => code)).toEqual(['not-approvable'])
  })

  it('is of the content at the time of the question', async () => {
    const { refuses, approve, tree, trust: trustIt } = await judged()
    await trustIt()
    await refuses()
    tree.write({ 'home/app/.claude/skills/deploy/SKILL.md': '!`evil`' })
    await expect(approve()).rejects.toMatchObject({ code: 'E_STATE' })
    // The change came before this question, so the user sees it.
    await refuses()
    await approve()
  })

  it('is refused to a skill that was listed before it was changed, whose source is told so', async () => {
    const { refuses, approve, judge, command, tree, trust: trustIt } = await judged()
    await trustIt()
    const loaded: string[] = []
    const listed = () => {
      const path = command().filePath ?? ''
      return command({ file: identityOf(path, statSync(path)), load: () => (loaded.push('deploy'), { template: '' }) })
    }
    const before = listed()
    expect(await refuses(before)).toBeUndefined()
    tree.write({ 'home/app/.claude/skills/deploy/SKILL.md': '---\nallowed-tools: Bash\n---\n!`evil`' })
    expect(loaded).toEqual([])
    expect(await refuses(before)).toBe(
      'The skill has changed since it was listed. The list of skills is updated now: try again.',
    )
    expect(loaded).toEqual(['deploy'])
    await expect(approve(before)).rejects.toThrow(
      expect.objectContaining({ code: 'E_STATE', message: expect.stringContaining(' changed ') as string }),
    )
    expect(await judge(before, true)).toEqual(unapproved)
    expect(await refuses(listed())).toBeUndefined()
    await approve(listed())
    expect(await judge(listed(), true)).toEqual(trusted)
  })

  it('is refused to one that was written over with as many bytes and the time that it had', async () => {
    const { refuses, command, tree, trust: trustIt } = await judged()
    await trustIt()
    const path = command().filePath ?? ''
    utimesSync(path, 1, 1)
    const before = statSync(path)
    const listed = command({ file: identityOf(path, before) })
    expect(await refuses(listed)).toBeUndefined()
    // At least one clock tick of any file system.
    await new Promise(resolve => setTimeout(resolve, 20))
    tree.write({ 'home/app/.claude/skills/deploy/SKILL.md': 'x'.repeat(before.size) })
    utimesSync(path, 1, 1)
    expect(statSync(path)).toMatchObject({ size: before.size, ino: before.ino, mtimeMs: before.mtimeMs })
    expect(await refuses(listed)).toContain(' changed ')
  })

  it('is refused to a skill whose file is gone', async () => {
    const { refuses, command, trust: trustIt, tree } = await judged({ 'home/app/.claude/commands/go.md': 'Go.' })
    await trustIt()
    const path = `${tree.path}/home/app/.claude/commands/go.md`
    const file = identityOf(path, { ...statSync(path), size: 7 })
    const load = () => {
      throw new Error('It cannot be read.')
    }
    expect(await refuses(command({ baseDir: undefined, filePath: path, file, load }))).toContain(' changed ')
  })

  it('that is not bound to content is refused to nothing that is trusted', async () => {
    const { refuses, trust: trustIt } = await judged({}, { bind: false, limits: { files: 0 } })
    expect(await refuses()).toContain('not trusted')
    await trustIt()
    expect(await refuses()).toBeUndefined()
  })

  it('is refused to a skill that is too large, with the reason, told once', async () => {
    const {
      judge,
      approve,
      command,
      told,
      trust: trustIt,
    } = await judged(
      { 'home/app/.claude/skills/deploy/a': 'a', 'home/app/.claude/skills/deploy/b': 'b' },
      { limits: { files: 3 } },
    )
    await trustIt()
    expect(await judge(command(), true)).toEqual(unapproved)
    expect(await judge(command(), true)).toEqual(unapproved)
    expect(told).toMatchObject([
      {
        code: 'not-approvable',
        severity: 'warning',
        name: 'deploy',
        message: expect.stringMatching(/"deploy" .* 3 files/),
      },
    ])
    await expect(approve()).rejects.toThrow(
      expect.objectContaining({ code: 'E_STATE', message: expect.stringContaining(' 3 files') as string }),
    )
  })

  it('that is not bound to content holds after a change', async () => {
    const { judge, approve, command, tree, trust: trustIt } = await judged({}, { bind: false, limits: { files: 1 } })
    await trustIt()
    expect(await judge(command(), true)).toEqual({ ...unapproved, item: 'agreed' })
    await approve()
    tree.write({ 'home/app/.claude/skills/deploy/SKILL.md': 'Changed.' })
    expect(await judge(command(), true)).toEqual({ ...trusted, item: 'agreed' })
    expect(await judge(command({ name: 'release' }), true)).toEqual({ ...unapproved, item: 'agreed' })
  })

  it('that was not bound to content is none where it has to be', async () => {
    const loose = await judged({}, { bind: false })
    await loose.trust()
    await loose.approve()
    const strict = trust().setup({
      signal: never,
      host: loose.host,
      report: () => {},
      hook: () => () => {},
      effect: async () => {},
      invalidate: () => {},
      use: () => ({
        ids: [],
        each: async () => [],
        first: async ask => ask(loose.state as never, { id: 'memory', signal: never }),
      }),
    })
    expect(await (await strict).judge(loose.command(), true, { signal: never })).toEqual(unapproved)
  })

  it('is forgotten with the trust in its folder', async () => {
    const { judge, approve, command, project, state, host, trust: trustIt } = await judged()
    await trustIt()
    await approve()
    await revokeFolder(state, project, host)
    expect(await judge(command(), true)).toEqual(untrusted)
    await trustIt()
    expect(await judge(command(), true)).toEqual(unapproved)
  })

  it.runIf(isRoot)(
    'is refused to a skill with a file that may not be read (without the rights of the superuser)',
    async () => {
      const {
        judge,
        command,
        tree,
        told,
        trust: trustIt,
      } = await judged({ 'home/app/.claude/skills/deploy/secret': 'secret' })
      await trustIt()
      chmodSync(`${tree.path}/home/app/.claude/skills/deploy/secret`, 0)
      await withoutRoot(async () => {
        expect(await judge(command(), true)).toEqual(unapproved)
      })
      expect(told).toMatchObject([{ code: 'not-approvable', message: expect.stringContaining('secret ') }])
    },
  )
})

it.runIf(isPosix)('a caller that cannot tell trusts no one, but for what needs no memory', async () => {
  const tree = temporary({ state: { dir: true, mode: 0o755 }, 'skills/deploy/SKILL.md': 'Deploy.' })
  const told: Diagnostic[] = []
  const verdicts: (TrustVerdict | undefined)[] = []
  const { command } = await judged()
  const asking = defineProvider({
    kind: 'source',
    id: 'asking',
    needs: ['trust'],
    setup: ctx => ({
      source: 'user',
      async list({ signal }) {
        for (const source of ['project', 'user']) {
          verdicts.push(
            await ctx
              .use('trust')
              .first(
                (provider, call) =>
                  provider.judge(command({ source, baseDir: `${tree.path}/skills/deploy` }), true, call),
                { signal },
              ),
          )
        }
        return loadResult({})
      },
    }),
  })
  const skills = createSkills({
    host: fakeHost({ uid: process.getuid?.(), platform: process.platform }),
    kinds: [stateKind, trustKind],
    plugins: [trust(), stateStore({ dir: `${tree.path}/state` }), asking],
    onDiagnostic: diagnostic => told.push(diagnostic),
  })
  await skills.catalog()
  await skills.close()
  expect(verdicts).toEqual([untrusted, trusted])
  expect(told).toMatchObject([
    { code: 'provider-failed', provider: 'trust', message: expect.stringContaining('open to other') },
  ])
})

it('a folder trusted through the store is trusted in another engine', async () => {
  const { tree, host, command, project } = await judged({ state: { dir: true, mode: 0o700 } })
  const open = (): State => openState(host, { dir: `${tree.path}/state`, report: () => {} })
  await trustFolder(open(), project, host)
  const later = await judged({}, {}, { state: open() })
  expect(await later.judge(command())).toEqual(unapproved)
})
