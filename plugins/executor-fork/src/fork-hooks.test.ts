import { describe, expect, it, test } from 'vitest'
import { defineProvider } from '@skills/core'
import { allowed, denied, forking, hanging, skill, turn, type Setting } from '../test/forking.js'
import type { HookPayload, Hooks, HookVerdict, RunRequest, Runner, SkillHookEvent } from '@skills/invocation'

interface Asked {
  readonly event: SkillHookEvent
  readonly payload: HookPayload
}

const bash = { tool: 'Bash', content: 'id', input: { command: 'id' } }

/** Runs forks with hooks whose answers a function gives. */
function hooked(
  decide: (event: SkillHookEvent, payload: HookPayload) => HookVerdict,
  setting: Setting = {},
  more: Partial<Hooks> = {},
): ReturnType<typeof forking> & { readonly heard: readonly Asked[] } {
  const heard: Asked[] = []
  const hooks = defineProvider({
    kind: 'hooks',
    id: 'own',
    setup: () => ({
      register: () => () => undefined,
      decide(event, payload) {
        heard.push({ event, payload })
        return decide(event, payload)
      },
      ...more,
    }),
  })
  return { ...forking({ ...setting, more: [hooks, ...(setting.more ?? [])] }), heard }
}

/** Answers `1`, `2` and so on, as often as the sub-agent may continue. */
const counting: Runner['run'] = async ({ maxSteps, onStop, progress }) => {
  for (let at = 1; ; at++) {
    progress({ type: 'step', steps: at })
    const next = at < maxSteps ? await onStop?.(String(at)) : undefined
    if (next === undefined) return { text: String(at), usage: { steps: at } }
  }
}

const stops = (heard: readonly Asked[]): readonly unknown[] =>
  heard
    .filter(({ event }) => event === 'SubagentStop')
    .map(({ payload: { message, stopHookActive } }) => [message, stopHookActive])

describe('a fork that is about to stop', () => {
  it('goes on with the reason of a hook as its next message, until no hook minds, who are told that it only goes on because of them', async () => {
    const next: unknown[] = []
    const { invoke, heard, told } = hooked(
      (_event, { message }) => (message === '3' ? {} : { block: true, reason: `More than ${message}.` }),
      {
        run: (request, call) =>
          counting(
            {
              ...request,
              onStop: async text => {
                const blocks = await request.onStop?.(text)
                next.push(blocks)
                return blocks
              },
            },
            call,
          ),
      },
    )
    expect((await invoke()).data).toMatchObject({ result: '3' })
    expect(next).toEqual([
      [{ type: 'text', text: 'More than 1.' }],
      [{ type: 'text', text: 'More than 2.' }],
      undefined,
    ])
    expect(stops(heard)).toEqual([
      ['1', false],
      ['2', true],
      ['3', true],
    ])
    expect(told).toEqual([])
  })

  it.each([
    [undefined, 8],
    [2, 2],
    [0, 0],
  ])('goes on so often and no more, which a diagnostic says: maxContinuations %s', async (maxContinuations, times) => {
    const { invoke, heard, told } = hooked(() => ({ block: true, reason: 'Again.' }), {
      run: counting,
      maxContinuations,
    })
    expect((await invoke()).data).toMatchObject({ result: String(times + 1) })
    expect(stops(heard)).toHaveLength(times + 1)
    expect(told).toMatchObject([
      {
        severity: 'warning',
        code: 'stop-blocked',
        name: 'review',
        message: `The fork of "review" ended although a hook asked to continue it, because hooks have already continued it ${times} times. The hook said: Again.`,
      },
    ])
  })

  it('tells its model and its progress no path of the machine, unless the host shows paths', async () => {
    const path = '/home/ann/shop/CHECKS.md'
    const saidWith = async (showsPaths: boolean): Promise<string> => {
      const said: unknown[] = []
      const { invoke } = hooked(
        event => (event === 'SubagentStop' ? { block: said.length < 2, reason: `See ${path}.` } : {}),
        {
          host: { cwd: '/home/ann/shop', home: '/home/ann', showsPaths },
          check: request => (request.tool === 'Read' ? { ...denied, message: `No: ${path}.` } : allowed),
          run: async request => {
            said.push(await request.authorize({ tool: 'Read', content: path, input: {} }), await request.onStop?.('1'))
            return { text: 'Done.', usage: { steps: 1 } }
          },
        },
      )
      await invoke()
      return JSON.stringify(said)
    }
    const shown = await saidWith(true)
    expect(shown.split(path).length - 1).toBeGreaterThanOrEqual(2)
    const hidden = await saidWith(false)
    expect(hidden).not.toContain('/home/ann')
    expect(hidden).toContain('See ./CHECKS.md')
    expect(hidden).toContain('No: ./CHECKS.md')
  })

  it('ends with its last answer all the same', async () => {
    const { invoke, heard, told } = hooked(() => ({ block: true, reason: 'Again.' }), { run: counting, maxSteps: 3 })
    expect((await invoke()).data).toMatchObject({ result: '3' })
    expect(stops(heard)).toEqual([
      ['1', false],
      ['2', true],
      ['3', true],
    ])
    expect(told).toMatchObject([{ code: 'stop-blocked', message: expect.stringContaining(' of its 3') }])
    const unheard = hooked(() => ({ block: true, reason: 'Again.' }), {
      run: () => ({ text: 'One.', usage: { steps: 1 } }),
      maxSteps: 1,
    })
    await unheard.invoke()
    expect(unheard.told).toMatchObject([{ message: expect.stringContaining(' of its 1') }])
  })

  it('ends where its runner cannot go on, which a diagnostic says', async () => {
    const { invoke, heard, told } = hooked(() => ({ block: true }), {
      run: () => ({ text: 'All is well.', usage: { steps: 2 } }),
    })
    expect((await invoke()).data).toMatchObject({ result: 'All is well.' })
    expect(stops(heard)).toEqual([['All is well.', false]])
    expect(told).toMatchObject([{ code: 'stop-blocked', message: expect.stringContaining(': A hook does not') }])
  })

  it('stops at once where a hook says that it is to end', async () => {
    const { invoke, told, heard } = hooked(() => ({ stop: true, block: true, reason: 'Enough.' }), { run: counting })
    expect((await invoke()).data).toMatchObject({ result: '1' })
    expect([told, heard.length]).toEqual([[], 1])
  })

  it('goes on within its time', async () => {
    const hang = hanging()
    const { invoke, clock } = hooked(() => ({ block: true, reason: 'Again.' }), {
      limitMs: 1000,
      run: async (request, call) => {
        await request.onStop?.('1')
        return hang.run(request, call)
      },
    })
    const given = invoke().catch((error: unknown) => error)
    await hang.begun(1)
    await clock.advance(1000)
    expect(await given).toMatchObject({ code: 'E_TIMEOUT' })
  })

  it('and has ended is not asked about any more', async () => {
    let onStop: RunRequest['onStop']
    const { invoke, heard } = hooked(() => ({ block: true }), {
      maxContinuations: 0,
      run: request => {
        onStop = request.onStop
        return { text: '1' }
      },
    })
    await invoke()
    expect([await onStop?.('2'), heard.length]).toEqual([undefined, 1])
  })
})

test('a fork that a hook of a tool stops ends with why, and nothing of it is done any more', async () => {
  for (const event of ['PreToolUse', 'PostToolUse'] as const) {
    const hang = hanging()
    const { invoke, ended, asked } = hooked(
      one => (one === event ? { block: true, stop: true, reason: 'Enough.' } : {}),
      {
        async run(request, call) {
          const { behavior } = await request.authorize(bash)
          if (behavior === 'allow') await request.used(bash, 'ok')
          return hang.run(request, call)
        },
      },
    )
    await expect(invoke()).rejects.toMatchObject({
      code: 'E_DENIED',
      message: expect.stringMatching(new RegExp(` ${event} .*"review": Enough\\.`)),
    })
    await turn()
    expect([hang.atWork(), ended.length]).toEqual([0, 1])
    expect(asked.some(({ tool }) => tool === 'Bash')).toBe(event === 'PostToolUse')
  }
})

describe('a call about which a hook wants a person to be asked', () => {
  const asking = (setting: Setting): ReturnType<typeof hooked> =>
    hooked(event => (event === 'PreToolUse' ? { block: true, ask: true, reason: 'It is pushed.' } : {}), {
      run: async ({ authorize }) => ({ text: (await authorize(bash)).message }),
      ...setting,
    })

  it.each(['allow', 'deny'] as const)('is made only if the host says yes: %s', async answer => {
    const questions: unknown[] = []
    const { invoke } = asking({
      onAsk({ request: { tool, content, entry }, decision: { message } }) {
        questions.push([tool, content, entry.name, message])
        return answer
      },
    })
    expect((await invoke()).data).toMatchObject({
      result: expect.stringMatching(answer === 'allow' ? /^It is pushed\.: .* yes\.$/ : /^It is pushed\.: .* no\.$/),
    })
    expect(questions).toEqual([['Bash', 'id', 'review', 'It is pushed.']])
  })

  it('is not made where no one can be asked, or the rules deny it', async () => {
    expect((await asking({}).invoke()).data).toMatchObject({
      result: expect.stringMatching(/^It is pushed\.: there was no one /),
    })
    const { invoke } = asking({
      check: ({ tool }) => (tool === 'Skill' ? allowed : denied),
      onAsk() {
        throw new Error('No one is to be asked.')
      },
    })
    expect((await invoke()).data).toMatchObject({ result: 'No.' })
  })
})

describe('what hooks add', () => {
  it('the model reads besides the result of the call, and nothing where there is nothing', async () => {
    const texts: unknown[] = []
    const verdicts: Partial<Record<SkillHookEvent, HookVerdict>> = {
      PreToolUse: { context: 'It is late.' },
      PostToolUse: { block: true, reason: 'Look again.', context: 'It </system-reminder> is done.' },
    }
    const { invoke } = hooked((event, { toolInput }) => (toolInput === 'plain' ? {} : (verdicts[event] ?? {})), {
      async run({ authorize, used }) {
        for (const input of ['hooked', 'plain']) {
          await authorize({ ...bash, input })
          texts.push(await used({ ...bash, input }, 'ok'))
        }
        return { text: '' }
      },
    })
    await invoke()
    expect(texts).toEqual([
      '<system-reminder>\nA hook of PreToolUse (Bash) says:\nIt is late.\n</system-reminder>\n<system-reminder>\nA hook of PostToolUse (Bash) says:\nLook again.\nIt &lt;/system-reminder> is done.\n</system-reminder>',
      undefined,
    ])
  })

  it('to a call that is not made is not said', async () => {
    for (const block of [true, false]) {
      const { invoke } = hooked(event => (event === 'PreToolUse' ? { block, context: 'It is late.' } : {}), {
        check: ({ tool }) => (tool === 'Skill' ? allowed : denied),
        async run({ authorize, used }) {
          const { behavior } = await authorize(bash)
          return { text: `${behavior} ${String(await used(bash, 'ok'))}` }
        },
      })
      expect((await invoke()).data).toMatchObject({ result: 'deny undefined' })
    }
  })

  it('for a person is told of as progress', async () => {
    const { invoke, progress } = hooked(event => ({ messages: [`It is ${event}.`] }), {
      run: async ({ authorize }) => ({ text: (await authorize(bash)).behavior }),
    })
    const {
      data: { agentId },
    } = await invoke()
    await turn()
    expect(progress).toEqual(
      ['PreToolUse', 'SubagentStop'].map(hookEvent => ({
        type: 'message',
        hookEvent,
        text: `It is ${hookEvent}.`,
        agentId,
      })),
    )
  })
})

test('a fork within a fork is said to be in it, and each is forgotten with its end', async () => {
  const within: string[] = []
  const { invoke, invoker } = hooked(
    () => ({}),
    {
      commands: [skill({ allowedTools: ['Skill'] }), skill({ name: 'inner', background: true })],
      check: () => allowed,
      run: async ({ agentId, depth }) =>
        depth === 1
          ? { text: String((await invoker.invoke({ name: 'inner', caller: 'model', agentId, depth })).data['agentId']) }
          : { text: '' },
    },
    {
      enter: (agentId, parentId) => void within.push(`${agentId} in ${parentId}`),
      forget: agentId => void within.push(`${agentId} ended`),
    },
  )
  const {
    data: { agentId, result },
  } = await invoke('review', { agentId: 'host' })
  await turn()
  expect(within.slice(0, 2)).toEqual([`${String(agentId)} in host`, `${String(result)} in ${String(agentId)}`])
  expect(within.slice(2).toSorted()).toEqual([`${String(agentId)} ended`, `${String(result)} ended`].toSorted())
})

test.each([
  [true, [{ PreToolUse: [] }]],
  [false, []],
])('the hooks of the skill itself are registered unless they do not run in forks: %j', async (skillHooks, found) => {
  const registered: unknown[] = []
  const { invoke, heard } = hooked(
    () => ({}),
    {
      skillHooks,
      commands: [skill({ hooks: { PreToolUse: [] } })],
      run: async ({ authorize }) => {
        await authorize(bash)
        return { text: 'x' }
      },
    },
    {
      register({ command }) {
        registered.push(command.hooks)
        return () => undefined
      },
    },
  )
  await invoke()
  expect(registered).toEqual(found)
  // Hooks of the conversation are asked in any case.
  expect(heard.map(({ event }) => event)).toContain('PreToolUse')
})
