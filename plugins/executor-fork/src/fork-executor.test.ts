import { describe, expect, test } from 'vitest'
import { denied, allowed, forking, hanging, skill, turn } from '../test/forking.js'
import { defineProvider, type PromptCommand } from '@skills/core'
import { forkExecutor } from './index.js'
import type { Hooks, HookPayload, RunRequest } from '@skills/invocation'
import type { HookOwner } from '@skills/invocation/internal'

const bash = (content: string) => ({ tool: 'Bash', content, input: { command: content } })

describe('a fork', () => {
  test('gives the text of its last message, and the conversation around it nothing else', async () => {
    const { invoke, requests, ended } = forking({
      run: () => ({ text: 'All is well.', usage: { inputTokens: 7, steps: 2, ms: 5 } }),
    })
    const { data, newMessages, contextModifier } = await invoke('review', { args: 'the gate', toolUseId: 't1' })
    expect(data).toEqual({
      success: true,
      commandName: 'review',
      status: 'forked',
      agentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      result: 'All is well.',
      usage: { inputTokens: 7, steps: 2, ms: 5 },
    })
    expect([newMessages, contextModifier]).toEqual([[], undefined])
    expect(requests).toMatchObject([
      {
        agentId: data['agentId'],
        agentType: 'general-purpose',
        messages: [[{ type: 'text', text: 'Look at the gate.' }]],
        tools: { only: undefined, without: ['Skill', 'Agent', 'Task'] },
        maxSteps: 50,
        depth: 1,
      },
    ])
    await turn()
    expect(ended).toEqual([
      {
        agentId: data['agentId'],
        commandName: 'review',
        isBackground: false,
        toolUseId: 't1',
        result: 'All is well.',
        usage: { inputTokens: 7, steps: 2, ms: 5 },
      },
    ])
  })

  test.each(['limit', 'grant'] as const)('takes allowed-tools as a %s', async listedTools => {
    const { invoke, requests, asked } = forking({
      listedTools,
      commands: [skill({ allowedTools: ['Read'] })],
      run: async ({ authorize }) => {
        await authorize({ tool: 'Read', content: '/a', input: {} })
        return { text: '' }
      },
    })
    await invoke()
    expect(requests[0]?.tools.only).toEqual(listedTools === 'limit' ? ['Read'] : undefined)
    expect(asked.find(({ tool }) => tool === 'Read')?.granted).toEqual(listedTools === 'limit' ? undefined : ['Read'])
  })

  test('has nothing granted by a skill that is not trusted', async () => {
    const { invoke, asked } = forking({
      listedTools: 'grant',
      commands: [skill({ allowedTools: ['Read'] })],
      judge: () => ({ level: 'untrusted', isApproved: false }),
      run: async ({ authorize }) => {
        await authorize({ tool: 'Read', content: '/a', input: {} })
        return { text: '' }
      },
    })
    await invoke()
    expect(asked.filter(({ granted }) => granted !== undefined)).toEqual([])
  })

  test('that says nothing gives a fixed line', async () => {
    expect((await forking({ run: () => ({ text: '' }) }).invoke()).data).toMatchObject({
      result: 'Skill execution completed.',
    })
    expect(
      (await forking({ run: () => ({ text: '' }), emptyResult: '(Skill produced no output)' }).invoke()).data,
    ).toMatchObject({ result: '(Skill produced no output)' })
  })

  test('has model and effort of the skill, else of its agent, else of the conversation around it', async () => {
    const agents = [{ name: 'general-purpose', model: 'small', effort: 'low' as const }]
    const of = async (more: Partial<PromptCommand>, given = agents): Promise<unknown> => {
      const { invoke, requests } = forking({ agents: given, commands: [skill(more)] })
      await invoke()
      return [requests[0]?.model, requests[0]?.effort]
    }
    expect([await of({ model: 'large', effort: 'high' }), await of({}), await of({}, [])]).toEqual([
      ['large', 'high'],
      ['small', 'low'],
      [undefined, undefined],
    ])
  })

  test('tells of its progress, with its id, until it ends', async () => {
    let late: RunRequest['progress'] = () => {}
    const { invoke, progress } = forking({
      run(request) {
        late = request.progress
        request.progress({ type: 'text', text: 'Looking.' })
        return { text: 'Done.' }
      },
    })
    const {
      data: { agentId },
    } = await invoke()
    late({ type: 'text', text: 'Still there.' })
    await turn()
    expect(progress).toEqual([{ type: 'text', text: 'Looking.', agentId }])
  })

  test('is counted as a use of the skill', async () => {
    const { invoke, state } = forking()
    await invoke()
    expect(await state.state.read('usage', { signal: new AbortController().signal })).toMatchObject({
      review: { count: 1 },
    })
  })

  test('of blocks begins with those blocks', async () => {
    const blocks = [
      { type: 'text', text: 'Look at @.' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    ] as const
    const { invoke, requests } = forking({ commands: [skill({ load: () => ({ blocks }) })] })
    await invoke('review', { args: 'x' })
    expect(requests[0]?.messages).toEqual([blocks])
  })

  test('may have its skill as the system prompt and the arguments as the message', async () => {
    const { invoke, requests } = forking({ prompt: 'system' })
    await invoke('review', { args: 'the gate' })
    await invoke('review')
    expect(requests).toMatchObject([
      { system: 'Look at the gate.', messages: [[{ type: 'text', text: 'the gate' }]] },
      { system: 'Look at .', messages: [[{ type: 'text', text: 'Execute this skill task.' }]] },
    ])
  })
})

describe('a fork within a fork', () => {
  test('goes eight deep and no further, also where a skill forks itself', async () => {
    const depths: number[] = []
    const { invoke, invoker } = forking({
      commands: [skill({ allowedTools: ['Skill'] })],
      async run({ agentId, depth }, { signal }) {
        depths.push(depth)
        const inner = await invoker
          .invoke({ name: 'review', caller: 'model', agentId, depth, signal })
          .catch((error: unknown) => error)
        return {
          text: inner instanceof Error ? inner.message : String((inner as { data: { result: string } }).data.result),
        }
      },
    })
    expect((await invoke()).data).toMatchObject({ result: expect.stringMatching(/ 9 forks .* 8\./) })
    expect(depths).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })

  test('cannot fork itself unless its tools name the Skill tool', async () => {
    for (const [allowedTools, expected] of [
      [[], 'deny'],
      [['Skill'], 'allow'],
      [['Read'], 'deny'],
    ] as const) {
      const { invoke } = forking({
        commands: [skill({ allowedTools })],
        run: async ({ authorize }) => ({
          text: (await authorize({ tool: 'Skill', content: 'review', input: {} })).behavior,
        }),
      })
      expect((await invoke()).data).toMatchObject({ result: expected })
    }
  })

  test('never has a tool that the fork around it has not', async () => {
    const { invoke, invoker, requests } = forking({
      commands: [
        skill({ allowedTools: ['Skill', 'Bash(git:*)'] }),
        skill({ name: 'inner', allowedTools: ['Bash', 'Write'] }),
      ],
      async run({ agentId, depth, authorize }) {
        if (depth === 1)
          return {
            text: String((await invoker.invoke({ name: 'inner', caller: 'model', agentId, depth })).data['result']),
          }
        const answers = await Promise.all(
          ['git log', 'rm -rf /'].map(async script => (await authorize(bash(script))).behavior),
        )
        return { text: [...answers, (await authorize({ tool: 'Write', content: 'x', input: {} })).behavior].join() }
      },
    })
    expect((await invoke()).data).toMatchObject({ result: 'allow,deny,deny' })
    expect(requests[1]?.tools.only).toEqual(['Bash(git:*)'])
  })

  test('never has a tool that the conversation around it has not, where the host says so', async () => {
    const { invoke, requests } = forking({
      commands: [skill({ allowedTools: ['Bash', 'Write'] })],
      run: async ({ authorize }) => ({
        text: (
          await Promise.all([
            authorize(bash('git log')),
            authorize(bash('id')),
            authorize({ tool: 'Write', content: 'x', input: {} }),
          ])
        )
          .map(({ behavior }) => behavior)
          .join(),
      }),
    })
    expect(
      (await invoke('review', { tools: { only: ['Bash(git:*)', 'Write'], without: ['Write'] } })).data,
    ).toMatchObject({ result: 'allow,deny,deny' })
    expect(requests[0]?.tools).toEqual({ only: ['Bash(git:*)', 'Write'], without: ['Write'] })
  })

  test('embeds nothing that the fork around it may not do', async () => {
    const runs = defineProvider({
      kind: 'expander',
      id: 'runs',
      setup: () => ({
        claims: '%',
        lex: (_text, at) => ({ end: at + 1 }),
        evaluate: async (_token, { args, authorize }) => (await authorize({ tool: 'Bash', content: args })).behavior,
      }),
    })
    const { invoke, invoker, requests } = forking({
      commands: [
        skill({ allowedTools: ['Skill', 'Bash(git:*)'] }),
        skill({ name: 'inner', load: () => ({ template: '%' }) }),
      ],
      more: [runs],
      async run({ agentId, depth }) {
        if (depth === 1)
          for (const args of ['git log', 'id'])
            await invoker.invoke({ name: 'inner', caller: 'model', agentId, depth, args })
        return { text: '' }
      },
    })
    await invoke()
    expect(requests.slice(1).map(({ messages }) => messages)).toEqual([
      [[{ type: 'text', text: 'allow' }]],
      [[{ type: 'text', text: 'deny' }]],
    ])
  })

  test('is given up when the fork around it is', async () => {
    const hang = hanging()
    const { invoke, invoker, ended } = forking({
      commands: [skill({ allowedTools: ['Skill'] })],
      run: (request, call) =>
        request.depth === 2
          ? hang.run(request, call)
          : invoker
              .invoke({ name: 'review', caller: 'model', agentId: request.agentId, depth: request.depth })
              .then(() => ({ text: '' })),
    })
    const controller = new AbortController()
    const outer = invoke('review', { signal: controller.signal })
    await hang.begun(1)
    controller.abort()
    await expect(outer).rejects.toMatchObject({ name: 'AbortError' })
    await turn()
    expect([hang.atWork(), ended.length]).toEqual([0, 2])
  })
})

describe('the tools of a fork', () => {
  const answers = async (
    setting: Parameters<typeof forking>[0],
    scripts: readonly string[],
  ): Promise<readonly string[]> => {
    const { invoke } = forking({
      ...setting,
      run: async ({ authorize }) => ({
        text: (await Promise.all(scripts.map(async script => (await authorize(bash(script))).behavior))).join(),
      }),
    })
    return String((await invoke()).data['result']).split(',')
  }

  test('are limited by what its skill lists: Bash(git:*) is Bash for matching calls alone', async () => {
    expect(
      await answers({ commands: [skill({ allowedTools: ['Bash(git:*)'] })] }, [
        'git log',
        'git log; id',
        'id',
        'git $(id)',
      ]),
    ).toEqual(['allow', 'deny', 'deny', 'deny'])
  })

  test('are limited by its agent and by its skill together', async () => {
    const agents = [{ name: 'general-purpose', tools: ['Bash'], disallowedTools: ['Bash(git push:*)'] }]
    expect(
      await answers(
        {
          agents,
          commands: [skill({ allowedTools: ['Bash(git:*)', 'Read'], disallowedTools: ['Bash(git reset:*)'] })],
        },
        ['git log', 'git push', 'cd x && git push', 'git reset --hard', 'id'],
      ),
    ).toEqual(['allow', 'deny', 'deny', 'deny', 'deny'])
  })

  test('are not granted by being listed: the rules are asked, and not told that the skill allows itself anything', async () => {
    const setting = {
      commands: [skill({ allowedTools: ['Bash(git:*)'] })],
      check: ({ tool }: { tool: string }) => (tool === 'Skill' ? allowed : denied),
    }
    expect(await answers(setting, ['git log'])).toEqual(['deny'])
    const { invoke, asked } = forking({
      ...setting,
      run: async ({ authorize }) => ({ text: (await authorize(bash('git log'))).message }),
    })
    await invoke()
    expect(asked).toMatchObject([{ tool: 'Skill' }, { tool: 'Bash', content: 'git log', granted: undefined }])
  })

  test('are none where the skill does without all of them, or its agent has an empty list; an empty list of the skill is as none given', async () => {
    const scripts = ['git log', 'id']
    expect(await answers({ commands: [skill({ allowedTools: [] })] }, scripts)).toEqual(['allow', 'allow'])
    expect(await answers({ commands: [skill({ allowedTools: [], disallowedTools: ['*'] })] }, scripts)).toEqual([
      'deny',
      'deny',
    ])
    expect(
      await answers(
        { commands: [skill({ allowedTools: ['Bash'] })], agents: [{ name: 'general-purpose', tools: [] }] },
        scripts,
      ),
    ).toEqual(['deny', 'deny'])
    const { invoke, requests } = forking({ commands: [skill({ disallowedTools: ['*'] })] })
    await invoke()
    expect(requests[0]?.tools.without).toContain('*')
  })

  test('that a list names and no one has are reported once, and give no others', async () => {
    const { invoke, told, requests } = forking({
      commands: [skill({ allowedTools: ['Raed', 'Bash(git', 'mcp__files'] })],
      knownTools: ['Read', 'Bash'],
      run: async ({ authorize }) => ({ text: (await authorize({ tool: 'Read', content: 'x', input: {} })).behavior }),
    })
    expect((await invoke()).data).toMatchObject({ result: 'deny' })
    await invoke()
    expect(told).toMatchObject([
      { code: 'invalid-rule', name: 'review', message: expect.stringMatching(/"Bash\(git" .*"review" /) },
      { code: 'unknown-tool', message: expect.stringContaining('"Raed"') },
    ])
    expect(requests[0]?.tools.only).toEqual(['Raed', 'mcp__files'])
  })

  test('are refused once the fork has ended, regardless of its runner still does', async () => {
    let authorize: RunRequest['authorize'] | undefined
    const { invoke, asked } = forking({
      run(request) {
        authorize = request.authorize
        return { text: '' }
      },
    })
    await invoke()
    expect(await authorize?.(bash('id'))).toMatchObject({ behavior: 'deny', message: 'The fork has ended.' })
    expect(asked).toHaveLength(1)
  })

  test('are refused where the fork ends while a person is asked', async () => {
    let answer: () => void = () => {}
    let decision: ReturnType<RunRequest['authorize']> | undefined
    const { invoke, skills, requests } = forking({
      check: ({ tool }) =>
        tool === 'Skill'
          ? allowed
          : new Promise(resolve => {
              answer = () => resolve(allowed)
              skills.emit('fork:stop', { agentId: requests[0]?.agentId ?? '' })
            }),
      run: async ({ authorize }) => {
        decision = authorize(bash('id'))
        return { text: (await decision).message }
      },
    })
    await expect(invoke()).rejects.toMatchObject({
      code: 'E_PROVIDER_FAILED',
      message: expect.stringContaining('"review"'),
    })
    answer()
    expect(await decision).toMatchObject({ behavior: 'deny', message: 'The fork has ended.' })
  })

  test('are told as progress where they are refused', async () => {
    const { invoke, progress } = forking({
      check: ({ tool }) =>
        tool === 'Skill'
          ? allowed
          : { behavior: 'deny', message: 'A rule denies it.', decisionReason: { type: 'rule' } },
      async run(request) {
        await request.authorize({ tool: 'Bash', content: 'ls', input: {} })
        return { text: 'Done.' }
      },
    })
    const {
      data: { agentId },
    } = await invoke()
    expect(progress).toEqual([{ type: 'refused', tool: 'Bash', content: 'ls', message: 'A rule denies it.', agentId }])
  })

  test('are refused where no one can decide', async () => {
    const check = ({ tool }: { tool: string }) => {
      if (tool === 'Skill') return allowed
      throw new Error('The rules are gone.')
    }
    expect(await answers({ check }, ['id'])).toEqual(['deny'])
  })
})

describe('hooks', () => {
  interface Kept {
    readonly owners: HookOwner[]
    readonly told: { readonly event: string; readonly payload: HookPayload }[]
    readonly forgotten: string[]
    undone: number
  }
  const keeper = (kept: Kept, decide: Hooks['decide'] = () => ({})) =>
    defineProvider({
      kind: 'hooks',
      id: 'kept',
      setup: () => ({
        register(owner) {
          kept.owners.push(owner)
          return () => void (kept.undone += 1)
        },
        decide(event, payload, call) {
          kept.told.push({ event, payload })
          return decide(event, payload, call)
        },
        forget: agentId => void kept.forgotten.push(agentId),
      }),
    })
  const empty = (): Kept => ({ owners: [], told: [], forgotten: [], undone: 0 })
  const hooked = [skill({ hooks: { PreToolUse: [] } })]

  test('of the skill belong to the fork, are asked before its tools and told after them, and end with it', async () => {
    const kept = empty()
    const { invoke, asked } = forking({
      commands: hooked,
      more: [keeper(kept, event => (event === 'PreToolUse' ? { block: true, reason: 'Not today.' } : {}))],
      async run({ authorize, used }) {
        const { message } = await authorize(bash('id'))
        await used({ ...bash('ls'), toolUseId: 't' }, 'a b')
        return { text: message }
      },
    })
    const {
      data: { agentId, result },
    } = await invoke('review', { agentId: 'parent' })
    expect(result).toBe('Not today.')
    expect(asked.map(({ tool }) => tool)).toEqual(['Skill'])
    expect(kept.owners).toMatchObject([{ agentId, trust: 'trusted' }])
    expect(kept.told).toEqual([
      {
        event: 'PreToolUse',
        payload: { toolName: 'Bash', toolInput: { command: 'id' }, toolUseId: undefined, agentId },
      },
      {
        event: 'PostToolUse',
        payload: { toolName: 'Bash', toolInput: { command: 'ls' }, toolResponse: 'a b', toolUseId: 't', agentId },
      },
      { event: 'SubagentStop', payload: { agentId, message: 'Not today.', stopHookActive: false } },
    ])
    expect([kept.undone, kept.forgotten]).toEqual([1, [agentId]])
  })

  test('are not told of what a runner still does when the fork has ended', async () => {
    const kept = empty()
    let used: RunRequest['used'] | undefined
    const { invoke } = forking({
      commands: hooked,
      more: [keeper(kept)],
      run(request) {
        used = request.used
        return { text: '' }
      },
    })
    await invoke()
    await used?.(bash('ls'), 'a b')
    expect(kept.told.map(({ event }) => event)).toEqual(['SubagentStop'])
  })

  test('end on every path: when expanding fails, when the runner does, and when it is given up', async () => {
    const fails = (): never => {
      throw new Error('Broken.')
    }
    const paths = [
      { run: fails },
      {
        more: [
          defineProvider({
            kind: 'expander',
            id: 'fails',
            setup: () => ({ claims: 'L', lex: (_text, at) => ({ end: at + 1 }), evaluate: fails }),
          }),
        ],
      },
    ]
    for (const path of paths) {
      const kept = empty()
      await expect(
        forking({ ...path, commands: hooked, more: [keeper(kept), ...(path.more ?? [])] }).invoke(),
      ).rejects.toThrow('Broken.')
      expect(kept).toMatchObject({ undone: 1, owners: [{}] })
    }
    const [kept, hang, controller] = [empty(), hanging(), new AbortController()]
    const given = forking({ commands: hooked, run: hang.run, more: [keeper(kept)] }).invoke('review', {
      signal: controller.signal,
    })
    await hang.begun(1)
    controller.abort()
    await expect(given).rejects.toMatchObject({ name: 'AbortError' })
    await turn()
    expect(kept.undone).toBe(1)
  })
})

test('options that are none are refused', () => {
  for (const options of [
    { limitMs: 0 },
    { maxSteps: Number.NaN },
    { maxDepth: -1 },
    { graceMs: -1 },
    { maxContinuations: -1 },
    { maxContinuations: Number.NaN },
    { agents: [{ name: 'a' }, { name: 'a' }] },
    { agents: [{ name: '' }] },
  ]) {
    expect(() => forkExecutor(options), JSON.stringify(options)).toThrow(
      expect.objectContaining({ code: 'E_INVALID_OPTION' }),
    )
  }
})
