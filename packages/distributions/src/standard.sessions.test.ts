import { readFileSync } from 'node:fs'
import { createSkills, type Diagnostic, type Skills } from '@skills/core'
import {
  askPermission,
  decide,
  endSession,
  Invoker,
  Session,
  sessionSchema,
  startSession,
  type SessionValue,
} from '@skills/invocation'
import { tempTree, type TempTree } from '@skills/testing'
import { trustFolder } from '@skills/trust'
import { describe, expect, onTestFinished, test } from 'vitest'
import { standard, type StandardOptions } from './agents/standard/index.js'

const guard = (reason = 'Nothing is removed.'): string =>
  [
    '---',
    'description: Guards.',
    'hooks:',
    '  PreToolUse:',
    '    - matcher: Bash',
    '      hooks:',
    '        - type: command',
    `          command: 'if grep -q "rm -rf"; then echo "${reason}" >&2; exit 2; fi'`,
    '---',
    'Guard ${CLAUDE_SESSION_ID} at ${CLAUDE_EFFORT}.',
  ].join('\n')
const once =
  '---\ndescription: Once.\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          once: true\n          command: echo "$CLAUDE_SESSION_ID" >> "$CLAUDE_PROJECT_DIR/log"\n---\nOnce.'

interface Bench {
  readonly tree: TempTree
  readonly told: Diagnostic[]
  engine(options?: Partial<StandardOptions>): Skills
}

function bench(files: Readonly<Record<string, string>> = {}): Bench {
  const tree = tempTree({
    'home/.claude/skills/guard/SKILL.md': guard(),
    'home/.claude/skills/once/SKILL.md': once,
    'repo/.git/HEAD': '',
    'repo/log': '',
    'home/.claude/skills/git/SKILL.md': '---\ndescription: Git.\nallowed-tools: Bash(git status:*)\n---\nGit.',
    ...files,
  })
  const engines: Skills[] = []
  const told: Diagnostic[] = []
  onTestFinished(async () => {
    for (const skills of engines) await skills.close()
    tree.dispose()
  })
  return {
    tree,
    told,
    engine(options) {
      const host = { cwd: `${tree.path}/repo`, home: `${tree.path}/home` }
      const skills = createSkills(standard({ host, onDiagnostic: diagnostic => told.push(diagnostic), ...options }))
      engines.push(skills)
      return skills
    },
  }
}

const invoker = (skills: Skills, session?: Session): Invoker => new Invoker(skills, { onAsk: () => 'allow', session })
const removing = (session?: Session) => ({
  toolName: 'Bash',
  toolInput: { command: 'rm -rf x' },
  sessionId: session?.key,
})
const kept = async (session: Session): Promise<SessionValue> =>
  JSON.parse(JSON.stringify(await session.value())) as SessionValue

describe('sessions of one engine', () => {
  test('have hooks, texts and running skills of their own', async () => {
    const skills = bench().engine()
    const [one, other] = [Session.open(skills), Session.open(skills)]
    const [first] = [
      await invoker(skills, one).invoke({ name: 'guard', caller: 'user' }),
      await startSession(skills, { sessionId: other.key }),
    ]
    expect(await decide(skills, 'PreToolUse', removing(one))).toMatchObject({ block: true })
    expect(await decide(skills, 'PreToolUse', removing(other))).toEqual({})
    expect([
      (await invoker(skills, one).invoke({ name: 'guard', caller: 'user' })).data,
      (await invoker(skills, other).invoke({ name: 'guard', caller: 'user' })).data,
    ]).toEqual([expect.objectContaining({ isRepeated: true }), expect.not.objectContaining({ isRepeated: true })])
    expect([one.invoked.restore().length, JSON.stringify(first.newMessages)]).toEqual([
      1,
      expect.stringContaining(`Guard ${one.id} at`),
    ])
    await endSession(skills, { sessionId: one.key })
    expect([
      await decide(skills, 'PreToolUse', removing(one)),
      await decide(skills, 'PreToolUse', removing(other)),
    ]).toMatchObject([{}, { block: true }])
  })

  test('tell a hook their ids, and what succeeds once does so in each', async () => {
    const { tree, engine } = bench()
    const skills = engine()
    const [one, other] = [Session.open(skills, { id: 'one' }), Session.open(skills, { id: 'other' })]
    for (const session of [one, other]) await invoker(skills, session).invoke({ name: 'once', caller: 'user' })
    for (const session of [one, one, other]) await decide(skills, 'Stop', { sessionId: session.key })
    expect(readFileSync(`${tree.path}/repo/log`, 'utf8')).toBe('one\nother\n')
  })

  test('have each an effort of their own, which a skill at work may change', async () => {
    const skills = bench({
      'home/.claude/skills/hard/SKILL.md': '---\ndescription: Hard.\neffort: max\n---\nAt ${CLAUDE_EFFORT}.',
    }).engine()
    const [low, none] = [Session.open(skills, { effort: 'low' }), Session.open(skills)]
    const textOf = async (name: string, session: Session): Promise<string> =>
      JSON.stringify((await invoker(skills, session).invoke({ name, caller: 'user' })).newMessages)
    expect([await textOf('guard', low), await textOf('guard', none), await textOf('hard', low)]).toEqual([
      expect.stringContaining('at low.'),
      expect.stringContaining('at ${CLAUDE_EFFORT}.'),
      expect.stringContaining('At max.'),
    ])
  })

  test('have the id of the host once, ids of their own besides, and no id twice', async () => {
    const skills = bench().engine()
    const own = Session.open(skills)
    expect([own.id, own.key]).toEqual([skills.host.sessionId, undefined])
    const other = Session.open(skills)
    expect(other.id).not.toBe(own.id)
    expect(() => Session.open(skills, { id: own.id })).toThrow(expect.objectContaining({ code: 'E_ALREADY_RUNNING' }))
    await other.close()
    await expect(
      new Invoker(skills).invoke({ name: 'guard', caller: 'user', sessionId: other.id }),
    ).rejects.toMatchObject({ code: 'E_CLOSED' })
  })
})

describe('the value of a session', () => {
  test('restores hooks, what is over, texts, sent names and effort in another process', async () => {
    const { tree, engine } = bench()
    const before = engine()
    const session = Session.open(before, { id: 'kept', effort: 'high' })
    for (const name of ['guard', 'once']) await invoker(before, session).invoke({ name, caller: 'user' })
    session.sentTo().add('guard')
    await decide(before, 'Stop', { sessionId: session.key })
    const value = await kept(session)
    await before.close()

    const after = engine()
    const again = Session.open(after, { id: value.id })
    expect(await again.restore(value)).toEqual([])
    expect(await decide(after, 'PreToolUse', removing(again))).toMatchObject({
      block: true,
      reason: 'Nothing is removed.',
    })
    await decide(after, 'Stop', { sessionId: again.key })
    expect(readFileSync(`${tree.path}/repo/log`, 'utf8')).toBe('kept\n')
    expect([again.effort, [...again.sentTo()], again.invoked.known().map(({ name }) => name)]).toEqual([
      'high',
      ['guard'],
      ['guard', 'once'],
    ])
    expect((await invoker(after, again).invoke({ name: 'once', caller: 'user' })).data).toMatchObject({
      isRepeated: true,
    })
    expect(await kept(again)).toEqual(value)
  })

  test('is described by a schema', async () => {
    const session = Session.open(bench().engine())
    const { properties, required } = await sessionSchema()
    expect(Object.keys(properties as object)).toEqual(expect.arrayContaining(Object.keys(await kept(session))))
    expect(required).toEqual(['version', 'id', 'skills', 'hooks', 'sent', 'lasting', 'forks'])
  })

  test.each([
    ['older', { version: 0 }, ['value']],
    ['no object', 'text', ['value']],
    ['without a version', {}, ['value']],
  ])('that is %s is lost, which is said', async (_what, value, expected) => {
    const lost = await Session.open(bench().engine()).restore(value)
    expect(lost.map(({ what }) => what)).toEqual(expected)
    expect(lost[0]?.message).toMatch(/restored/)
  })

  test('loses only its broken parts, and names them', async () => {
    const { engine } = bench()
    const skills = engine()
    const session = Session.open(skills, { effort: 'high' })
    await invoker(skills, session).invoke({ name: 'guard', caller: 'user' })
    const value = { ...(await kept(session)), sent: [5], skills: 'none', effort: 'huge' }
    const again = Session.open(engine())
    const lost = await again.restore(value)
    expect(lost.map(({ what }) => what)).toEqual(['effort', 'skills', 'sent'])
    expect(lost[2]?.message).toContain('"sent.0" is not valid')
  })

  test('brings no hook of a skill that changed, is gone, or is not trusted, and says why', async () => {
    const own = 'repo/.claude/skills/own/SKILL.md'
    const { tree, engine } = bench({ [own]: guard(), 'home/.claude/skills/gone/SKILL.md': guard() })
    const skills = engine()
    await skills.use('state').first((state, call) => trustFolder(state, `${tree.path}/repo`, skills.host, call))
    const session = Session.open(skills)
    for (const name of ['guard', 'gone', 'own']) await invoker(skills, session).invoke({ name, caller: 'user' })
    const value = await kept(session)
    await skills.close()
    tree.write({ 'home/.claude/skills/guard/SKILL.md': guard('Another reason.') })
    tree.remove('home/.claude/skills/gone')
    tree.remove('home/.local/state/skills')
    const after = engine()
    const again = Session.open(after)
    const lost = await again.restore(value)
    expect(lost.map(({ what, message }) => `${what}: ${message}`)).toEqual([
      expect.stringMatching(/hooks: .*"guard".*changed/),
      expect.stringMatching(/hooks: .*"gone".*no longer exists/),
      expect.stringMatching(/hooks: .*"own".*not trusted/),
    ])
    expect(await decide(after, 'PreToolUse', removing(again))).toEqual({})
  })

  test('allows nothing that no trusted skill of it allows now', async () => {
    const { engine } = bench()
    const skills = engine()
    const session = Session.open(skills)
    await invoker(skills, session).invoke({ name: 'git', caller: 'user' })
    const value = await kept(session)
    const forged = {
      ...value,
      lasting: {
        context: {
          toolPermissionContext: {
            alwaysAllowRules: { command: ['Bash', 'Bash(git status:*)'] },
            disallowedTools: ['Write'],
          },
        },
        by: [{ name: 'git', source: 'user', path: value.skills[0]?.path }],
      },
    }
    const after = engine()
    const again = Session.open(after)
    const lost = await again.restore(forged)
    expect(lost.map(({ message }) => message)).toEqual([expect.stringContaining('Bash ')])
    const asked = async (command: string): Promise<string> =>
      (await askPermission(after, { tool: 'Bash', input: { command } }, { context: again.context })).behavior
    expect([
      await asked('git status'),
      await asked('touch x'),
      again.context.toolPermissionContext?.disallowedTools,
    ]).toEqual(['allow', 'deny', ['Write']])
  })
})
