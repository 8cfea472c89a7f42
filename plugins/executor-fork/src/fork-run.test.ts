import { defineProvider, SkillsError } from '@skills/core'
import { embeddedRuns, resumeRun, type Runs } from '@skills/runs'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { denied, forking, skill, turn, type Forking, type Setting } from '../test/forking.js'
import type { Runner } from '@skills/invocation'
import type { HeldRun } from '@skills/runs/internal'

interface Place {
  /** Opens an engine over the runs of this folder, as another process would. */
  open(setting?: Setting): Promise<Forking & { readonly runs: Runs }>
}

function place(): Place {
  const tree = tempTree({})
  onTestFinished(() => tree.dispose())
  const host = { uid: process.getuid?.() }
  return {
    async open(setting = {}) {
      const engine = forking({ ...setting, host, more: [embeddedRuns({ dir: `${tree.path}/runs` })] })
      const runs = await engine.skills.use('runs').first(one => one)
      if (runs === undefined) throw new Error('There are no runs.')
      return { ...engine, runs }
    },
  }
}

const asks = { behavior: 'ask', message: 'Bash is not allowed by a rule', decisionReason: { type: 'default' } } as const
const check: Setting['check'] = ({ tool }) => (tool === 'Bash' ? asks : { ...asks, behavior: 'allow' })
/** Asks whether it may push, and returns the answer. */
const pushes: Runner['run'] = async (request, { signal }) => {
  const { behavior } = await request.authorize({ tool: 'Bash', content: 'git push', input: {}, toolUseId: 'call-1' })
  signal.throwIfAborted()
  return { text: `It was: ${behavior}` }
}

/** Leaves a run as a process does that is killed in the middle of it. */
async function killedIn({ runs, invoke, requests }: Forking & { readonly runs: Runs }): Promise<string> {
  void invoke('review', { args: 'the gate' }).catch(() => {})
  return vi.waitFor(async () => {
    const [run] = await runs.find({ states: ['running'] })
    if (run === undefined || requests.length === 0) throw new Error('It has not begun.')
    return run.id
  })
}

test('a fork is recorded, with what it was asked for and its result', async () => {
  const { invoke, runs } = await place().open()
  const { data } = await invoke('review', { args: 'the gate', toolUseId: 't1' })
  expect(await runs.find()).toMatchObject([
    {
      id: data['agentId'],
      skill: { name: 'review', source: 'user', digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      args: 'the gate',
      agent: 'general-purpose',
      tools: { without: ['Skill', 'Agent', 'Task'] },
      limits: { maxSteps: 50, ms: 1_800_000 },
      toolUseId: 't1',
      state: 'done',
      result: 'All is well.',
    },
  ])
})

test('a caller that repeats an invocation with its key waits for the run that there is, however it ends', async () => {
  const here = place()
  let finish = (): void => {}
  const finished = new Promise<void>(resolve => {
    finish = resolve
  })
  const first = await here.open({ run: () => finished.then(() => ({ text: 'Paid.' })) })
  const second = await here.open()
  const invoke = ({ invoke: made }: Forking, more?: object) =>
    made('review', { idempotencyKey: 'order 7', args: 'pay', ...more })
  const begun = invoke(first)
  const id = await vi.waitFor(async () => {
    const [run] = await second.runs.find({ states: ['running'] })
    if (run === undefined) throw new Error('It has not begun.')
    return run.id
  })
  const repeated = invoke(second)
  finish()
  expect((await begun).data).toMatchObject({ agentId: id, result: 'Paid.' })
  expect((await repeated).data).toMatchObject({ agentId: id, result: 'Paid.' })
  expect((await invoke(second)).data).toMatchObject({ agentId: id, result: 'Paid.' })
  expect(second.requests).toEqual([])
  await expect(invoke(second, { args: 'pay again' })).rejects.toMatchObject({ code: 'E_RUN_STATE' })
  const failing = await place().open({ run: () => Promise.reject(new Error('The well is dry')) })
  await expect(invoke(failing)).rejects.toThrow('The well is dry')
  await expect(invoke(failing)).rejects.toThrow('The well is dry')
  expect(failing.requests).toHaveLength(1)
})

test('a fork that fails, times out or is given up says so in its run', async () => {
  const failing = await place().open({ run: () => Promise.reject(new Error('The well is dry')) })
  await expect(failing.invoke()).rejects.toThrow('The well is dry')
  expect(await failing.runs.find()).toMatchObject([{ state: 'failed', error: { code: 'E_PROVIDER_FAILED' } }])
  const stopped = await place().open({ run: (_request, { signal }) => hanging(signal) })
  const controller = new AbortController()
  const invoked = stopped.invoke('review', { signal: controller.signal })
  await vi.waitFor(async () => expect(await stopped.runs.find({ states: ['running'] })).toHaveLength(1))
  controller.abort()
  await expect(invoked).rejects.toMatchObject({ name: 'AbortError' })
  await vi.waitFor(async () => expect(await stopped.runs.find()).toMatchObject([{ state: 'cancelled' }]))
})

test('what no one is there to answer parks the run; an answer of another process has it go on', async () => {
  const here = place()
  const first = await here.open({ run: pushes, check })
  const { data } = await first.invoke()
  expect(data).not.toHaveProperty('result')
  await turn()
  expect(first.ended).toEqual([])
  await first.skills.close()
  const second = await here.open({ run: pushes, check })
  const [run] = await second.runs.find()
  expect(run).toMatchObject({ state: 'waiting', question: { tool: 'Bash', content: 'git push' } })
  const id = String(data['agentId'])
  expect(await resumeRun(second.skills, id)).toMatchObject({ state: 'waiting' })
  const question = run !== undefined && 'question' in run ? run.question : undefined
  await second.runs.answer(id, question?.id ?? '', 'allow')
  expect(await resumeRun(second.skills, id)).toMatchObject({ state: 'done', result: 'It was: allow', epoch: 2 })
  await turn()
  expect(second.ended).toMatchObject([{ agentId: id, isBackground: true, result: 'It was: allow' }])
})

test('a person who is there is asked in place, and the answer is recorded', async () => {
  const { invoke, runs } = await place().open({ run: pushes, check, onAsk: () => 'deny' })
  const { data } = await invoke()
  expect(data['result']).toBe('It was: deny')
  expect((await runs.journal(String(data['agentId']))).map(({ type }) => type)).toEqual(
    expect.arrayContaining(['asked', 'answered', 'ended']),
  )
})

test('an engine that closes leaves its run to the next one, which expands nothing again', async () => {
  const here = place()
  let times = 0
  const commands = [
    skill({ load: () => ({ template: `Look at @ for the ${(times += 1)}. time.` }), digest: () => 'd' }),
  ]
  const first = await here.open({ commands, run: (_request, { signal }) => hanging(signal) })
  const id = await killedIn(first)
  await first.skills.close()
  const second = await here.open({ commands })
  expect(await second.runs.get(id)).toMatchObject({ state: 'queued' })
  expect(await resumeRun(second.skills, id)).toMatchObject({ state: 'done' })
  expect(second.requests[0]?.messages).toEqual([[{ type: 'text', text: 'Look at the gate for the 1. time.' }]])
})

test('a skill that is changed, gone or denied fails its run by code, and asks no one', async () => {
  const changed = [skill({ load: () => ({ template: 'Something else.' }) })]
  for (const [setting, code] of [
    [{ commands: changed }, 'E_RUN_CHANGED'],
    [{ commands: [] }, 'E_UNKNOWN_NAME'],
    [{ check: () => denied }, 'E_DENIED'],
  ] as const) {
    const here = place()
    const first = await here.open({ run: (_request, { signal }) => hanging(signal) })
    const id = await killedIn(first)
    await first.skills.close()
    const second = await here.open(setting)
    expect(await resumeRun(second.skills, id)).toMatchObject({ state: 'failed', error: { code } })
    expect(second.requests).toEqual([])
  }
})

test('a runner that records no steps begins again, and a diagnostic says so', async () => {
  const here = place()
  const first = await here.open({ keepsSteps: false, run: (_request, { signal }) => hanging(signal) })
  const id = await killedIn(first)
  await first.skills.close()
  const second = await here.open({ keepsSteps: false })
  expect(await resumeRun(second.skills, id)).toMatchObject({ state: 'done', result: 'All is well.' })
  expect(second.told).toMatchObject([{ code: 'run-starts-over', severity: 'warning' }])
})

test('a run that another process cancels ends its fork', async () => {
  const here = place()
  const first = await here.open({ run: (_request, { signal }) => hanging(signal) })
  const id = await killedIn(first)
  await (await here.open()).runs.cancel(id)
  expect(await first.runs.settled(id)).toMatchObject({ state: 'cancelled' })
})

test('a run that is cancelled while no process works on it is cancelled by the next one, which asks no runner', async () => {
  const tree = tempTree({})
  onTestFinished(() => tree.dispose())
  const provider = embeddedRuns({ dir: `${tree.path}/runs` })
  const host = { uid: process.getuid?.() }
  const first = forking({ host, keepsSteps: true, run: (_request, { signal }) => hanging(signal), more: [provider] })
  const runs = await first.skills.use('runs').first(one => one)
  if (runs === undefined) throw new Error('There are no runs.')
  const id = await killedIn({ ...first, runs })
  await first.skills.close()
  const setup = async (ctx: Parameters<typeof provider.setup>[0]): Promise<Runs> => {
    const next = await provider.setup(ctx)
    return replaced(next, {
      async take(taken) {
        const run = await next.take(taken)
        await next.cancel(taken)
        await vi.waitFor(() => expect(run?.signal.aborted).toBe(true))
        return run
      },
    })
  }
  const second = forking({ host, keepsSteps: true, more: [{ ...provider, setup }] })
  expect(await resumeRun(second.skills, id)).toMatchObject({ state: 'cancelled' })
  expect(second.requests).toEqual([])
})

function hanging(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
}

test.each([
  ['after it is written that this process has the run', undefined, ['written', 'PreToolUse', 'SubagentStop']],
  ['not in a run that another process has taken over', 'E_RUN_LOST', ['written']],
] as const)('hooks act %s', async (_which, code, expected) => {
  const tree = tempTree({})
  onTestFinished(() => tree.dispose())
  const order: string[] = []
  const held = (run: HeldRun): HeldRun =>
    replaced(run, {
      async flush() {
        order.push('written')
        if (code !== undefined) throw new SkillsError(code, 'Another process has it.')
      },
    })
  const provider = embeddedRuns({ dir: `${tree.path}/runs` })
  const setup = async (ctx: Parameters<typeof provider.setup>[0]): Promise<Runs> => {
    const runs = await provider.setup(ctx)
    return replaced(runs, {
      async begin(spec) {
        const run = await runs.begin(spec)
        return run && held(run)
      },
    })
  }
  const hooks = defineProvider({
    kind: 'hooks',
    id: 'h',
    setup: () => ({ decide: event => (order.push(event), {}), register: () => () => undefined }),
  })
  const run: Runner['run'] = async (request, { signal }) => {
    await request.authorize({ tool: 'Read', content: 'a', input: {}, toolUseId: 'call-1' })
    signal.throwIfAborted()
    return { text: 'Read.' }
  }
  const host = { uid: process.getuid?.() }
  const engine = forking({ host, run, keepsSteps: true, more: [{ ...provider, setup }, hooks] })
  const failure: unknown = await engine.invoke().then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(SkillsError.is(failure) ? failure.code : failure).toBe(code)
  expect(order).toEqual(expected)
})

/** Returns an object with other methods in place of some of its own. */
function replaced<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get(_target, key) {
      const value: unknown = Reflect.get(Object.hasOwn(methods, key) ? methods : target, key)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
