import { describe, expect, it, onTestFinished } from 'vitest'
import { createSkills, defineProvider, promptCommand, type Diagnostic, type Plugin, type Skills } from '@skills/core'
import { fakeHost } from '@skills/testing'
import {
  askPermission,
  invocationKinds,
  isOwnTool,
  toolLimitsOf,
  type AgentContext,
  type HookPayload,
  type Hooks,
} from './index.js'
import type { OnAsk, Permission, PermissionDecision, PermissionRequest } from '@skills/rules'

const allowed: PermissionDecision = {
  behavior: 'allow',
  message: 'The rule Read of session allows it.',
  decisionReason: { type: 'rule', rule: 'Read', source: 'session' },
}
const denied: PermissionDecision = {
  behavior: 'deny',
  message: 'The rule Bash(rm:*) of session denies it.',
  decisionReason: { type: 'rule', rule: 'Bash(rm:*)', source: 'session' },
}
const open: PermissionDecision = { behavior: 'ask', message: 'Use Bash', decisionReason: { type: 'default' } }

interface Session {
  readonly skills: Skills
  /** Requests to the rules, and the calls that they are about. */
  readonly requests: PermissionRequest[]
  readonly decided: { readonly request: PermissionRequest; readonly decision: PermissionDecision }[]
  readonly told: Diagnostic[]
}

function session(check: Permission['check'] | undefined, decide?: Hooks['decide']): Session {
  const requests: PermissionRequest[] = []
  const decided: Session['decided'] = []
  const told: Diagnostic[] = []
  const plugins: Plugin[] = []
  if (check !== undefined) {
    plugins.push(
      defineProvider({
        kind: 'permission',
        id: 'rules',
        setup: () => ({
          check(request, call) {
            requests.push(request)
            return check(request, call)
          },
        }),
      }),
    )
  }
  if (decide !== undefined)
    plugins.push(
      defineProvider({ kind: 'hooks', id: 'hooks', setup: () => ({ register: () => () => undefined, decide }) }),
    )
  const skills = createSkills({
    host: fakeHost(),
    kinds: invocationKinds,
    plugins,
    onDiagnostic: diagnostic => told.push(diagnostic),
  })
  skills.hook('permission:decided', event => void decided.push(event))
  onTestFinished(() => skills.close())
  return { skills, requests, decided, told }
}

const bash = { tool: 'Bash', input: { command: 'ls -l' } }
const neverAsked: OnAsk = () => {
  throw new Error('No one is to be asked.')
}

function gate(): { readonly opened: Promise<void>; readonly release: () => void } {
  let release = (): void => undefined
  const opened = new Promise<void>(resolve => {
    release = resolve
  })
  return { opened, release: () => release() }
}

describe('a tool of the host', () => {
  it('is allowed by a rule without a question, and listeners are told which', async () => {
    const { skills, requests, decided } = session(() => allowed)
    expect(
      await askPermission(skills, { tool: 'Read', input: { path: 'a.txt' }, toolUseId: 't1' }, { onAsk: neverAsked }),
    ).toMatchObject(allowed)
    expect(requests).toMatchObject([
      { tool: 'Read', content: 'a.txt', input: { path: 'a.txt' }, trust: 'trusted', caller: 'model', args: '' },
    ])
    await Promise.resolve()
    expect(decided).toEqual([{ request: requests[0], decision: allowed }])
  })

  it('is denied by a rule, and the host is not asked', async () => {
    const { skills, decided } = session(() => denied)
    expect(await askPermission(skills, bash, { onAsk: neverAsked })).toMatchObject(denied)
    await Promise.resolve()
    expect(decided).toMatchObject([{ decision: denied }])
  })

  it.each(['allow', 'deny'] as const)('is asked about where no rule decides, and the host says %s', async answer => {
    const { skills, decided } = session(() => open)
    const questions: unknown[] = []
    const decision = await askPermission(skills, bash, {
      onAsk({ request, decision: asked, signal }) {
        questions.push([request.tool, request.content, request.input, asked, signal.aborted, isOwnTool(request)])
        return answer
      },
    })
    expect(decision).toMatchObject({
      behavior: answer,
      decisionReason: { type: 'host' },
      message: `Use Bash: the answer was ${answer === 'allow' ? 'yes' : 'no'}.`,
    })
    expect(questions).toEqual([['Bash', 'ls -l', { command: 'ls -l' }, open, false, true]])
    await Promise.resolve()
    expect(decided).toMatchObject([{ decision: { behavior: answer } }])
  })

  it.each<[string, { readonly onAsk?: OnAsk }]>([
    ['there is no one', {}],
    ['there is no answer', { onAsk: () => undefined as never }],
    ['the answer is another', { onAsk: () => 'ask' as never }],
  ])('is denied where %s', async (_title, options) => {
    expect(await askPermission(session(() => open).skills, bash, options)).toMatchObject({
      behavior: 'deny',
      decisionReason: { type: 'host' },
    })
  })

  it('is denied where asking fails, with why', async () => {
    expect(
      await askPermission(session(() => open).skills, bash, {
        onAsk: () => Promise.reject(new Error('The terminal is gone.')),
      }),
    ).toMatchObject({
      behavior: 'deny',
      message: 'Use Bash: asking failed: The terminal is gone.',
      decisionReason: { type: 'failure' },
    })
  })

  it('is denied where the rules fail, and a diagnostic says why', async () => {
    const { skills, told } = session(() => {
      throw new Error('The rules are gone.')
    })
    expect(await askPermission(skills, bash, { onAsk: () => 'allow' })).toMatchObject({
      behavior: 'deny',
      decisionReason: { type: 'failure' },
      message: expect.stringContaining('The rules are gone.'),
    })
    expect(told).toMatchObject([{ code: 'provider-failed', provider: 'rules' }])
  })

  it.each([undefined, null, 'allow', {}, { behavior: 'maybe' }, { behavior: true }])(
    'is denied where the rules give %j for a decision',
    async given => {
      expect(await askPermission(session(() => given as never).skills, bash, { onAsk: () => 'allow' })).toEqual({
        behavior: 'deny',
        message: expect.stringMatching(/^No one .* Bash$/) as string,
        decisionReason: { type: 'failure' },
        verdict: {},
      })
    },
  )

  it('is an error where there is no permission provider', async () => {
    const refused = askPermission(session(undefined).skills, bash, { onAsk: () => 'allow' })
    await expect(refused).rejects.toMatchObject({ code: 'E_NO_PERMISSION', message: expect.stringContaining('Bash') })
  })

  it('is asked about in the words of the host where it has some', async () => {
    const { skills, requests } = session(() => allowed)
    await askPermission(skills, { ...bash, content: 'as the host sees it', agentId: 'a1' })
    expect(requests).toMatchObject([{ content: 'as the host sees it', agentId: 'a1' }])
  })

  it('is told from what a skill does and from a skill', () => {
    const entry = {
      name: 'a',
      command: promptCommand({ name: 'a', source: 'user', load: () => ({ template: '' }) }),
      provider: '',
      override: 'on',
      isQualified: false,
    } as const
    expect([isOwnTool({ tool: 'Bash', entry }), isOwnTool({ tool: 'Skill', entry })]).toEqual([false, false])
  })
})

describe('giving up', () => {
  it('asks no question', async () => {
    const { skills, requests, decided } = session(() => open)
    await expect(askPermission(skills, bash, { onAsk: neverAsked, signal: AbortSignal.abort() })).rejects.toMatchObject(
      { name: 'AbortError' },
    )
    expect([requests, decided]).toEqual([[], []])
  })

  it.each(['the signal aborts', 'the engine closes'])('ends a question to which no one listens: %s', async how => {
    const { skills, decided } = session(() => open)
    const controller = new AbortController()
    const asked = gate()
    let heard: AbortSignal | undefined
    const asking = askPermission(skills, bash, {
      signal: controller.signal,
      onAsk({ signal }) {
        heard = signal
        asked.release()
        return new Promise(() => {})
      },
    })
    const ended = asking.catch((error: unknown) => error)
    await asked.opened
    await (how === 'the engine closes' ? skills.close() : controller.abort())
    expect(await ended).toMatchObject({ name: 'AbortError' })
    expect([heard?.aborted, decided]).toEqual([true, []])
  })

  it('is over with the engine', async () => {
    const { skills } = session(() => allowed)
    await skills.close()
    await expect(askPermission(skills, bash)).rejects.toMatchObject({ code: 'E_CLOSED' })
  })
})

describe('the skills at work', () => {
  const context: AgentContext = {
    toolPermissionContext: { alwaysAllowRules: { command: ['Write'] }, disallowedTools: ['Bash(rm:*)', 'Fetch'] },
  }

  it('allow by their rules, as far as the engine lets them', async () => {
    const { skills, requests } = session(({ granted = [], tool }) => (granted.includes(tool) ? allowed : denied))
    const use = async (tool: string) => (await askPermission(skills, { tool, input: {} }, { context })).behavior
    expect([await use('Write'), await use('Read')]).toEqual(['allow', 'deny'])
    expect(requests.map(({ granted }) => granted)).toEqual([['Write'], ['Write']])
  })

  it.each([
    ['Fetch', {}, 'Fetch'],
    ['Bash', { command: 'rm -r x' }, 'Bash(rm:*)'],
    ['Bash', { command: 'true; rm x' }, 'Bash(rm:*)'],
  ])('do without %s %j, anything else says so', async (tool, input, rule) => {
    const { skills, requests, decided } = session(
      () => allowed,
      () => {
        throw new Error('No hook is asked.')
      },
    )
    expect(await askPermission(skills, { tool, input }, { context, onAsk: () => 'allow' })).toEqual({
      behavior: 'deny',
      message: expect.stringContaining(` ${rule}.`) as string,
      decisionReason: { type: 'rule', rule, source: 'the skills at work' },
    })
    await Promise.resolve()
    expect([requests.length, decided.length]).toEqual([0, 1])
  })

  it('leave what they do not name', async () => {
    expect(await askPermission(session(() => allowed).skills, bash, { context })).toMatchObject({ behavior: 'allow' })
  })

  it.each<[readonly string[], string, string]>([
    [['Read', 'Bash(git:*)'], 'git log', 'allow'],
    [['Read', 'Bash(git:*)'], 'git log; id', 'deny'],
    [['Read'], 'ls', 'deny'],
    [[], 'ls', 'deny'],
    [['Bash'], 'ls', 'allow'],
  ])('may be all that there is: of %j %j is %s', async (onlyTools, script, behavior) => {
    expect(
      await askPermission(
        session(() => allowed).skills,
        { tool: 'Bash', input: { command: script } },
        { context: { toolPermissionContext: { onlyTools } } },
      ),
    ).toMatchObject({ behavior })
  })

  it('are told to forks and runners in their form', () => {
    expect([
      toolLimitsOf({}),
      toolLimitsOf(context),
      toolLimitsOf({ toolPermissionContext: { onlyTools: ['Read'] } }),
    ]).toEqual([{ without: [] }, { without: ['Bash(rm:*)', 'Fetch'] }, { only: ['Read'], without: [] }])
  })
})

describe('the hooks', () => {
  it('are asked before the rules, and block', async () => {
    const asked: unknown[] = []
    const { skills, requests, decided } = session(
      () => allowed,
      (event, payload: HookPayload) => {
        asked.push([event, payload])
        return { block: true, reason: 'Not today.', messages: ['A hook minds.'] }
      },
    )
    const decision = await askPermission(skills, { ...bash, toolUseId: 't1', agentId: 'a1' }, { onAsk: () => 'allow' })
    expect(decision).toEqual({
      behavior: 'deny',
      message: 'Not today.',
      decisionReason: { type: 'rule', source: 'PreToolUse' },
      verdict: { block: true, reason: 'Not today.', messages: ['A hook minds.'] },
    })
    expect(asked).toEqual([['PreToolUse', { toolName: 'Bash', toolInput: bash.input, toolUseId: 't1', agentId: 'a1' }]])
    await Promise.resolve()
    expect([requests.length, decided.length]).toEqual([0, 1])
  })

  it('never allow', async () => {
    expect(
      await askPermission(
        session(
          () => denied,
          () => ({ block: false, context: 'It is late.' }),
        ).skills,
        bash,
      ),
    ).toMatchObject({ ...denied, verdict: { context: 'It is late.' } })
  })

  it.each<[string, PermissionDecision, 'allow' | 'deny', readonly string[]]>([
    ['takes the permission of the rules away', allowed, 'allow', ['Look first.']],
    ['is a no without a yes', allowed, 'deny', ['Look first.']],
    ['gives its reason to a question that no rule asks', open, 'allow', ['Look first.']],
    ['does not undo a no', denied, 'deny', []],
  ])('that want a person to decide: it %s', async (_title, rules, answer, asked) => {
    const questions: string[] = []
    const decision = await askPermission(
      session(
        () => rules,
        () => ({ block: true, ask: true, reason: 'Look first.' }),
      ).skills,
      bash,
      {
        onAsk({ decision: { message } }) {
          questions.push(message)
          return answer
        },
      },
    )
    expect([decision.behavior, questions]).toEqual([answer, asked])
  })

  it('that fail block nothing, and a diagnostic says why', async () => {
    const { skills, told } = session(
      () => allowed,
      () => {
        throw new Error('The hooks are gone.')
      },
    )
    expect(await askPermission(skills, bash)).toMatchObject(allowed)
    expect(told).toMatchObject([{ code: 'provider-failed', provider: 'hooks' }])
  })
})

it('two sessions at once have their own rules, people, skills at work and listeners', async () => {
  const [first, second] = [
    session(({ granted }) => (granted?.includes('Bash') === true ? allowed : open)),
    session(({ granted }) => (granted?.includes('Bash') === true ? allowed : open)),
  ]
  const asked = gate()
  const answered = gate()
  const slow = askPermission(
    first.skills,
    { ...bash, toolUseId: 'slow' },
    {
      async onAsk() {
        asked.release()
        await answered.opened
        return 'deny' as const
      },
    },
  )
  await asked.opened
  const granted = askPermission(second.skills, bash, {
    context: { toolPermissionContext: { alwaysAllowRules: { command: ['Bash'] } } },
    onAsk: neverAsked,
  })
  const answeredYes = askPermission(second.skills, bash, { onAsk: () => 'allow' })
  expect([(await granted).decisionReason.type, (await answeredYes).decisionReason.type]).toEqual(['rule', 'host'])
  await second.skills.close()
  answered.release()
  expect(await slow).toMatchObject({ behavior: 'deny', message: expect.stringContaining('Use Bash: ') })
  await Promise.resolve()
  expect([first.decided.length, second.decided.length]).toEqual([1, 2])
})
