import { describe, expect, onTestFinished, test } from 'vitest'
import {
  createSkills,
  defineProvider,
  loadResult,
  promptCommand,
  type Command,
  type Gate,
  type LocalCommand,
  type LocalUiCommand,
  type Plugin,
  type PromptCommand,
  type Skills,
  type View,
} from '@skills/core'
import type { Executor, Invocation, InvocationEvent, TrustVerdict } from './index.js'
import type { Permission, PermissionDecision, PermissionRequest } from '@skills/rules'
import { fakeClock, fakeHost, type FakeClock } from '@skills/testing'
import { invocationKinds, Invoker, type InvokerOptions } from './index.js'

const allowed: PermissionDecision = {
  behavior: 'allow',
  message: 'Allowed by "Skill"',
  decisionReason: { type: 'rule', rule: 'Skill' },
}
const asked: PermissionDecision = {
  behavior: 'ask',
  message: 'Execute skill: deploy',
  decisionReason: { type: 'default' },
}

function skill(name: string, more: Partial<PromptCommand> = {}): PromptCommand {
  return promptCommand({
    name,
    source: 'user',
    description: `Does ${name}.`,
    load: () => ({ template: `Do ${name}.` }),
    ...more,
  })
}

interface Setting {
  readonly commands?: readonly Command[]
  readonly check?: Permission['check'] | undefined
  readonly execute?: Executor['execute']
  readonly judge?: () => TrustVerdict
  readonly approve?: (command: PromptCommand) => void
  readonly refuses?: () => string | undefined
  readonly forbids?: Gate['forbids']
  readonly render?: (view: View) => void
  readonly options?: InvokerOptions
}

interface Setup {
  readonly skills: Skills
  readonly invoker: Invoker
  readonly clock: FakeClock
  /** Invocations that the executor was given. */
  readonly executed: Invocation[]
  readonly events: string[]
}

function setUp(setting: Setting = {}): Setup {
  const { commands = [skill('deploy')], judge, approve, refuses, forbids, render, options } = setting
  const check = 'check' in setting ? setting.check : () => allowed
  const executed: Invocation[] = []
  const execute: Executor['execute'] =
    setting.execute ??
    (({ command: { name } }) => ({ data: { success: true, commandName: name, status: 'inline' }, newMessages: [] }))
  const plugins: Plugin[] = [
    defineProvider({
      kind: 'source',
      id: 'source',
      setup: () => ({ source: 'user', list: () => loadResult({ commands }) }),
    }),
    defineProvider({
      kind: 'executor',
      id: 'inline',
      setup: () => ({
        execute(invocation, call) {
          executed.push(invocation)
          return execute(invocation, call)
        },
      }),
    }),
  ]
  if (check !== undefined) plugins.push(defineProvider({ kind: 'permission', id: 'rules', setup: () => ({ check }) }))
  if (judge !== undefined)
    plugins.push(
      defineProvider({
        kind: 'trust',
        id: 'trust',
        setup: () => ({ judge, ...(approve && { approve }), ...(refuses && { refuses }) }),
      }),
    )
  if (forbids !== undefined) plugins.push(defineProvider({ kind: 'gate', id: 'policy', setup: () => ({ forbids }) }))
  if (render !== undefined)
    plugins.push(defineProvider({ kind: 'renderer', id: 'terminal', setup: () => ({ render }) }))
  const clock = fakeClock()
  const events: string[] = []
  const skills = createSkills({
    kinds: invocationKinds,
    plugins,
    host: fakeHost({ clock }),
    onDiagnostic: ({ code }) => events.push(code),
  })
  for (const event of [
    'permission:decided',
    'invocation:start',
    'invocation:progress',
    'invocation:end',
    'invocation:error',
  ] as const)
    skills.hook(event, () => void events.push(event))
  onTestFinished(() => skills.close())
  return { skills, invoker: new Invoker(skills, options), clock, executed, events }
}

const byUser = { name: 'deploy', caller: 'user' } as const
const byModel = { name: 'deploy', caller: 'model' } as const

describe('an invocation', () => {
  test('is looked up, permitted, loaded and executed, and everybody hears of it', async () => {
    const { invoker, executed, events } = setUp({
      execute: ({ progress }) => {
        progress('half')
        return { data: { success: true, commandName: 'deploy', status: 'inline' }, newMessages: [] }
      },
    })
    const outcome = await invoker.invoke({
      ...byModel,
      name: ' /deploy ',
      args: 'to  staging',
      agentId: 'a1',
      toolUseId: 't1',
    })
    expect(outcome.data).toEqual({ success: true, commandName: 'deploy', status: 'inline' })
    expect(executed).toMatchObject([
      {
        args: 'to  staging',
        body: { template: 'Do deploy.' },
        caller: 'model',
        trust: 'untrusted',
        agentId: 'a1',
        toolUseId: 't1',
        depth: 0,
        entry: { name: 'deploy' },
      },
    ])
    await Promise.resolve()
    expect(events).toEqual(['invocation:start', 'permission:decided', 'invocation:progress', 'invocation:end'])
  })

  test('of a name that no command has is an error with the closest', async () => {
    await expect(setUp().invoker.invoke({ ...byUser, name: 'depoly' })).rejects.toMatchObject({
      code: 'E_UNKNOWN_NAME',
      message: expect.stringContaining('"deploy"'),
    })
  })

  test.each([
    ['user', skill('deploy', { userInvocable: false })],
    ['model', skill('deploy', { disableModelInvocation: true })],
  ] as const)('is not for a %s whom its author keeps away', async (caller, command) => {
    const { invoker, executed } = setUp({ commands: [command] })
    await expect(invoker.invoke({ name: 'deploy', caller })).rejects.toMatchObject({ code: 'E_NOT_INVOCABLE' })
    expect(executed).toEqual([])
    await invoker.invoke({ name: 'deploy', caller: caller === 'user' ? 'model' : 'user' })
    expect(executed).toHaveLength(1)
  })

  test('needs an executor for its context', async () => {
    await expect(
      setUp({ commands: [skill('deploy', { context: 'fork' })] }).invoker.invoke(byUser),
    ).rejects.toMatchObject({ code: 'E_MISSING_PROVIDER', message: expect.stringContaining('fork') })
  })

  test('that fails says so to the code that listens, and may be made again', async () => {
    let fails = true
    const { invoker, events } = setUp({
      execute: () => {
        if (fails) throw new Error('Broken.')
        return { data: { success: true, commandName: 'deploy', status: 'inline' }, newMessages: [] }
      },
    })
    await expect(invoker.invoke(byUser)).rejects.toMatchObject({
      code: 'E_PROVIDER_FAILED',
      message: expect.stringContaining('Broken.'),
    })
    fails = false
    expect((await invoker.invoke(byUser)).data.success).toBe(true)
    await Promise.resolve()
    expect(events).toContain('invocation:error')
  })

  test('is not made inside itself by the same agent, and by another it is', async () => {
    const nested: unknown[] = []
    const { invoker } = setUp({
      execute: async ({ agentId, command: { name } }) => {
        if (agentId === undefined) {
          nested.push(await invoker.invoke(byModel).catch((error: unknown) => error))
          nested.push(await invoker.invoke({ ...byModel, agentId: 'fork' }))
        }
        return { data: { success: true, commandName: name, status: 'inline' }, newMessages: [] }
      },
    })
    await invoker.invoke(byModel)
    expect(nested).toMatchObject([{ code: 'E_ALREADY_RUNNING' }, { data: { success: true } }])
  })

  test('lies at most eight forks deep', async () => {
    const { invoker } = setUp()
    await invoker.invoke({ ...byModel, depth: 8 })
    await expect(invoker.invoke({ ...byModel, depth: 9 })).rejects.toMatchObject({ code: 'E_TOO_DEEP' })
  })
})

describe('the events of an invocation', () => {
  /** Records the fields of each event, without those that the engine passes on unchanged. */
  function counted(setting: Setting) {
    const setup = setUp(setting)
    const told: unknown[] = []
    for (const event of ['invocation:start', 'invocation:progress', 'invocation:end', 'invocation:error'] as const) {
      setup.skills.hook(
        event,
        (one: InvocationEvent) =>
          void told.push([
            event,
            one.commandName,
            one.executionContext,
            one.invocationTrigger,
            'slashPrefix' in one ? one.slashPrefix : 'none',
            one.entry.name,
          ]),
      )
    }
    return { ...setup, told }
  }

  test('name what the program brings along, and nothing of anyone else', async () => {
    const commands = [
      skill('ours', { source: 'bundled' }),
      skill('theirs', { source: 'plugin' }),
      skill('remote', { source: 'mcp' }),
      { ...skill('help'), type: 'local', source: 'builtin', call: () => undefined } as const,
    ]
    const { invoker, told } = counted({ commands })
    for (const { name } of commands) await invoker.invoke({ name, caller: 'user' })
    await Promise.resolve()
    const of = (event: string, commandName: string, name: string) => [
      event,
      commandName,
      'inline',
      'user',
      'none',
      name,
    ]
    expect(told).toEqual(
      [
        ['ours', 'ours'],
        ['custom', 'theirs'],
        ['custom', 'remote'],
        ['help', 'help'],
      ].flatMap(([commandName = '', name = '']) => [
        of('invocation:start', commandName, name),
        of('invocation:end', commandName, name),
      ]),
    )
  })

  test('are alike from the first to the last', async () => {
    const { invoker, told } = counted({
      execute: ({ progress }) => {
        progress('half')
        throw new Error('Broken.')
      },
    })
    await expect(invoker.invoke({ ...byModel, name: ' /deploy' })).rejects.toThrow('Broken.')
    await Promise.resolve()
    expect(told).toEqual(
      ['start', 'progress', 'error'].map(event => [`invocation:${event}`, 'custom', 'inline', 'model', true, 'deploy']),
    )
  })

  test.each([
    ['model', 'deploy', undefined, 'none'],
    ['model', '/deploy', undefined, true],
    ['model', 'deploy', true, true],
    ['model', '/deploy', false, 'none'],
    ['user', '/deploy', undefined, 'none'],
    ['user', 'deploy', true, 'none'],
  ] as const)('say that a model wrote a slash: by a %s as %j, with %j', async (caller, name, slashPrefix, expected) => {
    const { invoker, told } = counted({})
    await invoker.invoke({ name, caller, slashPrefix })
    await Promise.resolve()
    expect(told[0]).toEqual(['invocation:start', 'custom', 'inline', caller, expected, 'deploy'])
  })

  test.each([
    ['user', 'own', 'fork'],
    ['model', 'own', 'fork'],
    ['user', 'inline', 'inline'],
    ['model', 'inline', 'fork'],
  ] as const)(
    'say where it runs: by a %s, where what a person invokes runs %s, %s',
    async (caller, userContext, expected) => {
      const { invoker, told } = counted({ commands: [skill('deploy', { context: 'fork' })], options: { userContext } })
      const ended = await invoker.invoke({ name: 'deploy', caller }).then(
        ({ data }) => data.status,
        (error: { readonly code: string }) => error.code,
      )
      // This engine has no executor for forks.
      expect(ended).toBe(expected === 'inline' ? 'inline' : 'E_MISSING_PROVIDER')
      await Promise.resolve()
      expect(told[0]).toEqual(['invocation:start', 'custom', expected, caller, 'none', 'deploy'])
    },
  )
})

describe('permission', () => {
  test('is given by no one where no one decides', async () => {
    const loaded: string[] = []
    const { invoker, executed } = setUp({
      check: undefined,
      commands: [skill('deploy', { load: () => (loaded.push('deploy'), { template: '' }) })],
    })
    await expect(invoker.invoke(byUser)).rejects.toMatchObject({
      code: 'E_NO_PERMISSION',
      message: expect.stringContaining('allowAll()'),
    })
    expect([executed, loaded]).toEqual([[], []])
  })

  test('that is refused is E_DENIED with the reason, and nothing is read', async () => {
    const loaded: string[] = []
    const { invoker } = setUp({
      check: () => ({
        behavior: 'deny',
        message: 'The rule "Skill(deploy)" denies it.',
        decisionReason: { type: 'rule', rule: 'Skill(deploy)' },
      }),
      commands: [skill('deploy', { load: () => (loaded.push('deploy'), { template: '' }) })],
    })
    await expect(invoker.invoke(byUser)).rejects.toMatchObject({
      code: 'E_DENIED',
      message: expect.stringContaining('The rule "Skill(deploy)" denies it.'),
    })
    expect(loaded).toEqual([])
  })

  test('that is in question is refused where no one can be asked', async () => {
    await expect(setUp({ check: () => asked }).invoker.invoke(byModel)).rejects.toMatchObject({
      code: 'E_DENIED',
      message: expect.stringMatching(/: there was no one /),
    })
  })

  test.each<readonly [string, PermissionDecision['behavior'], string | undefined, string | undefined, string]>([
    [
      'that a rule asks about names it where no one answers',
      'ask',
      'Skill(deploy)',
      'options',
      'Answer the question: the rule Skill(deploy) of options requires an answer.',
    ],
    [
      'that a rule of no one knows whom asks about does too',
      'ask',
      'Skill(deploy)',
      undefined,
      'Answer the question: the rule Skill(deploy) requires an answer.',
    ],
    [
      'that no rule decides says how one may',
      'ask',
      undefined,
      undefined,
      'Add a rule that allows this call, or answer the question.',
    ],
    [
      'that a rule denies says what to do about it',
      'deny',
      'Skill(deploy)',
      'options',
      'Remove that rule, or narrow it.',
    ],
  ])('%s', async (_what, behavior, rule, source, hint) => {
    const { invoker, skills } = setUp({
      check: () => ({
        behavior,
        message: 'Execute skill: deploy',
        decisionReason: { type: rule === undefined ? 'default' : 'rule', rule, source },
      }),
    })
    const decided: PermissionDecision[] = []
    skills.hook('permission:decided', ({ decision }) => void decided.push(decision))
    await expect(invoker.invoke(byUser)).rejects.toMatchObject({ code: 'E_DENIED', hint })
    expect(decided).toMatchObject([
      { behavior: 'deny', decisionReason: { type: behavior === 'deny' ? 'rule' : 'host', rule, source } },
    ])
  })

  test('that is in question is what the host says, and what it allowed is approved', async () => {
    const approved: string[] = []
    let answer: 'allow' | 'deny' = 'deny'
    const questions: PermissionRequest[] = []
    const { invoker, executed } = setUp({
      check: () => asked,
      judge: () => ({ level: 'untrusted', isApproved: false }),
      approve: ({ name }) => approved.push(name),
      options: { onAsk: ({ request }) => (questions.push(request), answer) },
    })
    await expect(invoker.invoke({ ...byModel, args: 'now' })).rejects.toMatchObject({
      code: 'E_DENIED',
      message: expect.stringContaining(' no'),
    })
    expect(approved).toEqual([])
    answer = 'allow'
    await invoker.invoke({ ...byModel, args: 'now' })
    expect([approved, executed.length]).toEqual([['deploy'], 1])
    expect(questions[0]).toMatchObject({
      tool: 'Skill',
      content: 'deploy',
      caller: 'model',
      args: 'now',
      trust: 'untrusted',
    })
  })

  test('because rules cannot be read is told as that where no one answers, and a yes to it approves nothing', async () => {
    const approved: string[] = []
    const decisions: PermissionDecision[] = []
    let answer: 'allow' | undefined
    const check = (): PermissionDecision => ({
      behavior: 'ask',
      message: 'Execute skill: deploy',
      decisionReason: { type: 'unreadable', source: 'userSettings' },
    })
    const { skills, invoker, executed } = setUp({
      check,
      judge: () => ({ level: 'trusted', isApproved: false }),
      approve: ({ name }) => approved.push(name),
      options: { onAsk: () => answer as 'allow' },
    })
    skills.hook('permission:decided', ({ decision }) => void decisions.push(decision))
    await expect(invoker.invoke(byModel)).rejects.toMatchObject({
      code: 'E_DENIED',
      message: expect.stringMatching(/: there was no one /),
      hint: 'Correct that problem first.',
    })
    answer = 'allow'
    await invoker.invoke(byModel)
    expect(decisions.map(({ behavior, decisionReason }) => [behavior, decisionReason])).toEqual([
      ['deny', { type: 'unreadable', source: 'userSettings' }],
      ['allow', { type: 'host', source: 'userSettings' }],
    ])
    expect([approved, executed.length]).toEqual([[], 1])
  })

  test('is refused when what the host allowed cannot be approved, as when it changed meanwhile', async () => {
    const { invoker, events } = setUp({
      check: () => asked,
      judge: () => ({ level: 'untrusted', isApproved: false }),
      options: { onAsk: () => 'allow' },
      approve: () => {
        throw new Error('It changed.')
      },
    })
    await expect(invoker.invoke(byUser)).rejects.toMatchObject({
      code: 'E_DENIED',
      message: expect.stringContaining('a diagnostic says'),
      hint: 'Correct that problem first.',
    })
    expect(events).toContain('provider-failed')
  })

  describe('that is in question, and whose yes would not count', () => {
    const neverAsked = {
      onAsk: () => {
        throw new Error('No one is to be asked.')
      },
    }
    const untrusted: Setting = {
      commands: [skill('deploy', { allowedTools: ['Bash'] })],
      check: () => asked,
      judge: () => ({ level: 'untrusted', isApproved: false }),
      options: neverAsked,
    }

    test('is refused before anyone is asked, with the reason', async () => {
      const { invoker, skills, executed } = setUp({ ...untrusted, refuses: () => 'It is not trusted. Trust it first.' })
      const decided: unknown[] = []
      skills.hook('permission:decided', ({ decision }) => void decided.push(decision))
      const message =
        'Execute skill: deploy: no one was asked, because permission alone would not be enough. It is not trusted. Trust it first.'
      await expect(invoker.invoke(byUser)).rejects.toMatchObject({
        code: 'E_DENIED',
        message: expect.stringContaining(message) as string,
        hint: 'An allow rule does not change that.',
      })
      expect([decided, executed]).toEqual([
        [expect.objectContaining({ behavior: 'deny', message, decisionReason: { type: 'trust' } })],
        [],
      ])
    })

    test('is a denial for code that would then ask a person, and a question for code that only wants to know the rules', async () => {
      const { invoker, skills } = setUp({ ...untrusted, refuses: () => 'It is not trusted.' })
      const question = {
        tool: 'Skill',
        content: 'deploy',
        entry: (await skills.catalog()).require('deploy'),
        caller: 'model',
        args: '',
      } as const
      expect(await invoker.decideBeforeAsking(question)).toMatchObject({
        behavior: 'deny',
        decisionReason: { type: 'trust' },
        trust: 'untrusted',
      })
      expect(await invoker.decide(question)).toMatchObject({ behavior: 'ask' })
    })

    test('says which rule asked, and suggests none', async () => {
      const check = (): PermissionDecision => ({
        ...asked,
        decisionReason: { type: 'rule', rule: 'Skill(deploy)', source: 'userSettings' },
        suggestions: [],
      })
      const { invoker, skills } = setUp({ ...untrusted, check, refuses: () => 'No.' })
      const decision = await invoker.decideBeforeAsking({
        tool: 'Skill',
        content: 'deploy',
        entry: (await skills.catalog()).require('deploy'),
        caller: 'model',
        args: '',
      })
      expect(decision).toEqual({
        behavior: 'deny',
        message: expect.any(String) as string,
        decisionReason: { type: 'trust', rule: 'Skill(deploy)', source: 'userSettings' },
        trust: 'untrusted',
      })
    })

    test('is a question all the same of a skill that is only there to be read, and a yes to it approves nothing', async () => {
      const approved: string[] = []
      const { invoker, executed } = setUp({
        ...untrusted,
        commands: [skill('deploy')],
        refuses: () => 'It is not trusted.',
        approve: ({ name }) => approved.push(name),
        options: { onAsk: () => 'allow' },
      })
      await invoker.invoke(byUser)
      expect([executed.map(({ trust }) => trust), approved]).toEqual([['untrusted'], []])
    })

    test.each<readonly [string, Partial<PromptCommand>]>([
      ['its tools', { allowedTools: ['Read'] }],
      ['tools to do without', { disallowedTools: ['Write'] }],
      ['hooks', { hooks: { Stop: [] } }],
      ['a model', { model: 'opus' }],
      ['an effort', { effort: 'high' }],
      ['an agent', { agent: 'Explore' }],
      ['a fork', { context: 'fork' }],
      ['the background', { background: true }],
      ['a command', { load: () => ({ template: 'See !`date`.' }) }],
      ['a fence', { load: () => ({ template: '```!\ndate\n```' }) }],
      [
        'a text that cannot be read',
        {
          load: () => {
            throw new Error('Gone.')
          },
        },
      ],
    ])('is refused of one that asks for %s', async (_what, more) => {
      const { invoker } = setUp({
        ...untrusted,
        commands: [skill('deploy', more)],
        refuses: () => 'It is not trusted.',
      })
      await expect(invoker.invoke(byUser)).rejects.toMatchObject({
        code: 'E_DENIED',
        message: expect.stringContaining('It is not trusted.'),
      })
    })

    test('is refused for a skill of a server, also for one that embeds no command and sets no tools', async () => {
      const { invoker } = setUp({
        ...untrusted,
        commands: [skill('deploy')],
        judge: () => ({ level: 'remote', isApproved: false }),
        refuses: () => 'It comes from a server.',
      })
      await expect(invoker.invoke(byUser)).rejects.toMatchObject({
        code: 'E_DENIED',
        message: expect.stringContaining('It comes from a server.'),
      })
    })

    test('is refused where a caller that decides about trust fails', async () => {
      const { invoker, events } = setUp({
        ...untrusted,
        refuses: () => {
          throw new Error('Broken.')
        },
      })
      await expect(invoker.invoke(byUser)).rejects.toMatchObject({
        code: 'E_DENIED',
        message: expect.stringContaining('The trust provider failed'),
      })
      expect(events).toContain('provider-failed')
    })

    test('is asked about all the same where a hook wants it, since that approves nothing', async () => {
      const decisions: unknown[] = []
      const { invoker } = setUp({
        check: () => allowed,
        judge: () => ({ level: 'trusted', isApproved: true }),
        refuses: () => 'It is too large.',
        options: { onAsk: () => 'allow' },
        execute: async ({ authorize }) => {
          decisions.push(
            (
              await authorize({
                tool: 'Bash',
                content: 'id',
                objection: {
                  behavior: 'ask',
                  message: 'Look first.',
                  decisionReason: { type: 'rule', source: 'PreToolUse' },
                },
              })
            ).behavior,
          )
          return { data: { success: true, commandName: 'deploy', status: 'inline' }, newMessages: [] }
        },
      })
      await invoker.invoke(byUser)
      expect(decisions).toEqual(['allow'])
    })

    test('is not looked into where a rule decides', async () => {
      const { invoker, executed } = setUp({
        check: () => allowed,
        judge: () => ({ level: 'untrusted', isApproved: false }),
        refuses: () => 'No.',
        options: neverAsked,
      })
      await invoker.invoke(byUser)
      expect(executed).toHaveLength(1)
    })
  })

  test('is refused when asking fails', async () => {
    const { invoker } = setUp({
      check: () => asked,
      options: { onAsk: () => Promise.reject(new Error('No terminal.')) },
    })
    await expect(invoker.invoke(byUser)).rejects.toMatchObject({
      code: 'E_DENIED',
      message: expect.stringContaining('No terminal.'),
    })
  })

  test('is refused when a caller that decides throws, hangs, or gives nothing', async () => {
    await expect(
      setUp({
        check: () => {
          throw new Error('Broken.')
        },
      }).invoker.invoke(byUser),
    ).rejects.toMatchObject({ code: 'E_DENIED', message: expect.stringContaining('Broken.') })
    await expect(setUp({ check: () => undefined as never }).invoker.invoke(byUser)).rejects.toMatchObject({
      code: 'E_DENIED',
    })
    const { invoker, clock } = setUp({ check: () => new Promise(() => {}) })
    const waiting = invoker.invoke(byUser).catch((error: unknown) => error)
    await clock.advance(10_000)
    expect(await waiting).toMatchObject({ code: 'E_DENIED', message: expect.stringContaining('10000 ms') })
  })

  test('is decided as for an untrusted skill when the trust provider fails', async () => {
    const requests: PermissionRequest[] = []
    const { invoker } = setUp({
      check: request => (requests.push(request), allowed),
      judge: () => {
        throw new Error('Broken.')
      },
    })
    await invoker.invoke(byUser)
    expect(requests[0]?.trust).toBe('untrusted')
  })

  test.each([
    ['trusted', ['Bash(git:*)']],
    ['untrusted', undefined],
    ['remote', undefined],
  ] as const)('for what a %s skill does itself takes what it allows itself for %j', async (level, granted) => {
    const requests: PermissionRequest[] = []
    const { invoker } = setUp({
      commands: [skill('deploy', { allowedTools: ['Bash(git:*)'] })],
      check: request => (requests.push(request), allowed),
      judge: () => ({ level, isApproved: true }),
      execute: async ({ authorize }) => {
        await authorize({ tool: 'Bash', content: 'git status', values: { SKILL_ARG_1: 'x' } })
        return { data: { success: true, commandName: 'deploy', status: 'inline' }, newMessages: [] }
      },
    })
    await invoker.invoke({ ...byUser, args: 'x' })
    expect(requests.map(({ tool, granted: rules }) => [tool, rules])).toEqual([
      ['Skill', undefined],
      ['Bash', granted],
    ])
    expect(requests[1]).toMatchObject({
      content: 'git status',
      args: 'x',
      values: { SKILL_ARG_1: 'x' },
      entry: { name: 'deploy' },
    })
  })

  test('for what hooks want a person to decide takes the word of the host, which approves nothing else; what they deny no one else is asked', async () => {
    const approved: string[] = []
    const questions: string[] = []
    const decisions: string[] = []
    const tools: string[] = []
    const { invoker } = setUp({
      check: ({ tool }) => (tools.push(tool), allowed),
      judge: () => ({ level: 'trusted', isApproved: true }),
      approve: ({ name }) => approved.push(name),
      options: {
        onAsk: ({ decision: { message } }) => (questions.push(message), message === 'Look first.' ? 'allow' : 'deny'),
      },
      execute: async ({ authorize }) => {
        for (const [behavior, message] of [
          ['ask', 'Look first.'],
          ['ask', 'Better not.'],
          ['deny', 'No.'],
        ] as const) {
          const decision = await authorize({
            tool: 'Bash',
            content: 'id',
            objection: { behavior, message, decisionReason: { type: 'rule', source: 'PreToolUse' } },
          })
          decisions.push(`${decision.behavior}: ${decision.message}`)
        }
        return { data: { success: true, commandName: 'deploy', status: 'inline' }, newMessages: [] }
      },
    })
    await invoker.invoke(byModel)
    expect(decisions).toEqual([
      expect.stringMatching(/^allow: Look first\.: .* yes\.$/),
      expect.stringMatching(/^deny: Better not\.: .* no\.$/),
      'deny: No.',
    ])
    expect([questions, tools, approved]).toEqual([['Look first.', 'Better not.'], ['Skill', 'Bash', 'Bash'], []])
  })

  test('can be asked about without a question', async () => {
    const { invoker, skills } = setUp({
      check: () => asked,
      options: {
        onAsk: () => {
          throw new Error('No one asked for this.')
        },
      },
    })
    const entry = (await skills.catalog()).require('deploy')
    expect(await invoker.decide({ tool: 'Skill', content: 'deploy', entry, caller: 'model', args: '' })).toMatchObject({
      behavior: 'ask',
      trust: 'untrusted',
    })
  })

  test('does not help where a gate forbids, and a gate that fails forbids', async () => {
    for (const [forbids, reason] of [
      [() => 'The policy says no.', 'The policy says no.'],
      [
        () => {
          throw new Error('Broken.')
        },
        'The gate "policy" failed.',
      ],
      [() => undefined, undefined],
    ] as const) {
      const said: unknown[] = []
      const { invoker } = setUp({
        forbids,
        execute: async invocation => {
          said.push(await invocation.forbids('shell'))
          return { data: { success: true, commandName: 'deploy', status: 'inline' }, newMessages: [] }
        },
      })
      await invoker.invoke(byUser)
      expect(said).toEqual([reason])
    }
  })
})

describe('a command that runs in the host', () => {
  const common = {
    displayName: 'x',
    aliases: [],
    description: 'x',
    hasUserSpecifiedDescription: true,
    source: 'builtin',
    loadedFrom: 'builtin',
    userInvocable: true,
    isHidden: false,
    isEnabled: () => true,
  } as const

  test('gives its outcome, needs no permission, and may look at the catalog', async () => {
    const help: LocalCommand = {
      ...common,
      type: 'local',
      name: 'help',
      call: async (args, { catalog }) => ({ text: `${args}: ${(await catalog()).entries.length}` }),
    }
    const { invoker } = setUp({ commands: [help], check: undefined })
    expect((await invoker.invoke({ name: 'help', caller: 'user', args: 'all' })).data).toEqual({
      success: true,
      commandName: 'help',
      status: 'local',
      text: 'all: 1',
    })
    await expect(invoker.invoke({ name: 'help', caller: 'model' })).rejects.toMatchObject({ code: 'E_NOT_INVOCABLE' })
  })

  test('is shown by the renderer, and needs one', async () => {
    const show: LocalUiCommand = {
      ...common,
      type: 'local-ui',
      name: 'skills',
      call: (_args, { render }) => render({ title: 'Skills' }),
    }
    const views: View[] = []
    await setUp({ commands: [show], render: view => views.push(view) }).invoker.invoke({
      name: 'skills',
      caller: 'user',
    })
    expect(views).toEqual([{ title: 'Skills' }])
    await expect(setUp({ commands: [show] }).invoker.invoke({ name: 'skills', caller: 'user' })).rejects.toMatchObject({
      code: 'E_NO_RENDERER',
    })
  })
})

describe('giving up', () => {
  test('reaches the executor, and no one waits for one that does not listen for longer than its processes may take', async () => {
    const signals: AbortSignal[] = []
    const controller = new AbortController()
    const { invoker, clock } = setUp({
      execute: (_invocation, { signal }) => {
        signals.push(signal)
        controller.abort('enough')
        return new Promise(() => {})
      },
    })
    const invoked = invoker.invoke({ ...byUser, signal: controller.signal }).catch((error: unknown) => error)
    await clock.advance(2499)
    expect(clock.pending).toBe(1)
    await clock.advance(1)
    expect(await invoked).toMatchObject({ name: 'AbortError', cause: 'enough' })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(clock.pending).toBe(0)
  })

  test('is heard of when the executor has ended, and until then the skill is running', async () => {
    const controller = new AbortController()
    const order: string[] = []
    let leave = (): void => undefined
    const { invoker, clock } = setUp({
      execute: () =>
        new Promise((_, reject) => {
          leave = () => (order.push('left'), reject(new Error('Late.')))
        }),
    })
    const invoked = invoker
      .invoke({ ...byUser, signal: controller.signal })
      .catch((error: unknown) => (order.push('rejected'), error))
    await clock.advance(0)
    controller.abort('enough')
    await clock.advance(100)
    await expect(invoker.invoke(byUser)).rejects.toMatchObject({ code: 'E_ALREADY_RUNNING' })
    leave()
    expect(await invoked).toMatchObject({ name: 'AbortError', cause: 'enough' })
    expect(order).toEqual(['left', 'rejected'])
    expect(clock.pending).toBe(0)
    const again = invoker.invoke(byUser)
    await clock.advance(0)
    leave()
    await expect(again).rejects.toMatchObject({ code: 'E_PROVIDER_FAILED' })
  })

  test('while the host is being asked is no answer', async () => {
    const controller = new AbortController()
    const { invoker } = setUp({
      check: () => asked,
      options: {
        onAsk: () => {
          controller.abort()
          return new Promise(() => {})
        },
      },
    })
    await expect(invoker.invoke({ ...byUser, signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('happens when the engine closes', async () => {
    const { invoker, skills, clock } = setUp({
      execute: () => {
        void skills.close()
        return new Promise(() => {})
      },
    })
    const invoked = invoker.invoke(byUser).catch((error: unknown) => error)
    await clock.advance(2500)
    expect(await invoked).toMatchObject({ name: 'AbortError' })
    await expect(invoker.invoke(byUser)).rejects.toMatchObject({ code: 'E_CLOSED' })
  })
})

describe('a line that a person typed', () => {
  test('invokes the commands it begins with, the last with the arguments', async () => {
    const { invoker, executed } = setUp({ commands: [skill('a'), skill('b')] })
    expect(await invoker.run('/a /b rest of it')).toHaveLength(2)
    expect(executed.map(({ command, args, caller }) => [command.name, args, caller])).toEqual([
      ['a', '', 'user'],
      ['b', 'rest of it', 'user'],
    ])
  })

  test('that is none is left to the chat', async () => {
    expect(await setUp().invoker.run('deploy it')).toBeUndefined()
  })
})
