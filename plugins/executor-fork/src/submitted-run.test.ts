import { createHash } from 'node:crypto'
import { SkillsError } from '@skills/core'
import { embeddedRuns, type Runs } from '@skills/runs'
import { workOnRun } from '@skills/runs/internal'
import { commandOf } from '@skills/skill-md'
import { tempTree } from '@skills/testing'
import { expect, onTestFinished, test, vi } from 'vitest'
import { forking, skill, turn, type Forking, type Setting } from '../test/forking.js'
import type { Runner } from '@skills/invocation'

const asks = { behavior: 'ask', message: 'Bash is not allowed by a rule', decisionReason: { type: 'default' } } as const
const check: Setting['check'] = ({ tool }) => (tool === 'Bash' ? asks : { ...asks, behavior: 'allow' })
/** Asks whether it may push, and returns the answer. */
const pushes: Runner['run'] = async (request, { signal }) => {
  const { behavior } = await request.authorize({ tool: 'Bash', content: 'git push', input: {}, toolUseId: 'call-1' })
  signal.throwIfAborted()
  return { text: `It was: ${behavior}` }
}

interface Yard {
  readonly parent: Forking
  readonly runs: Runs
  /** Works on the queued run, in an engine of its own. */
  work(setting?: Setting): Promise<string>
}

/** Makes an engine whose runs are worked on by others, and returns those runs. */
async function yard(setting: Setting = {}): Promise<Yard> {
  const tree = tempTree({})
  onTestFinished(() => tree.dispose())
  const provider = embeddedRuns({ dir: `${tree.path}/runs` })
  const more = [
    { ...provider, setup: async (ctx: Parameters<typeof provider.setup>[0]) => elsewhere(await provider.setup(ctx)) },
  ]
  const host = { uid: process.getuid?.() }
  const parent = forking({ ...setting, host, more })
  const runs = await parent.skills.use('runs').first(one => one)
  if (runs === undefined) throw new Error('There are no runs.')
  return {
    parent,
    runs,
    async work(other = {}) {
      const engine = forking({ ...other, host, more: [provider] })
      const own = await engine.skills.use('runs').first(one => one)
      const run = await queuedOf(runs)
      if (own === undefined) throw new Error('There are no runs.')
      await workOnRun(engine.skills, own, run)
      return run.id
    },
  }
}

/** Waits until a run is queued and returns it. On a busy machine this takes longer than the usual wait. */
function queuedOf(runs: Runs) {
  return vi.waitFor(
    async () => {
      const [run] = await runs.find({ states: ['queued'] })
      if (run === undefined || 'problem' in run) throw new Error('There is none.')
      return run
    },
    { timeout: 20_000 },
  )
}

/** Returns the same runs as a process sees them that does not work on them. */
function elsewhere(runs: Runs): Runs {
  return new Proxy(runs, {
    get(target, key) {
      if (key === 'place') return 'workers'
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

test('a fork whose runs workers work on is submitted and waited for, and nothing of it runs here', async () => {
  const { parent, work, runs } = await yard()
  const invoked = parent.invoke('review', { args: 'the gate' })
  const id = await work({ run: () => ({ text: 'Done elsewhere.' }) })
  expect((await invoked).data).toMatchObject({ agentId: id, result: 'Done elsewhere.' })
  expect(parent.requests).toEqual([])
  await turn()
  expect(parent.ended).toMatchObject([{ agentId: id, isBackground: false, result: 'Done elsewhere.' }])
  expect(await runs.get(id)).toMatchObject({ state: 'done', epoch: 1 })
})

test('a run that a worker loses before it is written that it has it does not end, and the next worker takes it', async () => {
  const { parent, work, runs } = await yard()
  const invoked = parent.invoke('review')
  const take = vi.spyOn(Object.getPrototypeOf(runs) as Runs, 'take')
  onTestFinished(() => take.mockRestore())
  take.mockRejectedValueOnce(new SkillsError('E_RUN_LOST', 'Another process works on the run.'))
  const id = await work()
  expect(take).toHaveBeenCalledTimes(1)
  expect(await runs.get(id)).toMatchObject({ state: 'queued', epoch: 0 })
  await work({ run: () => ({ text: 'Done by the next.' }) })
  expect((await invoked).data).toMatchObject({ agentId: id, result: 'Done by the next.' })
})

test('it takes along the text of a skill file, not that of a plugin, of a server, or a very long one', async () => {
  const text = `\uFEFF---\ndescription: Reviews.\ncontext: fork\nbackground: true\n---\nLook.\n`
  const digest = createHash('sha256').update(text).digest('hex')
  const plugin = { name: 'tools', from: 'user', path: '/tools', resolveVariable: () => undefined }
  for (const [more, added, sent] of [
    [{}, '', text],
    [{ plugin }, '', undefined],
    [{ loadedFrom: 'mcp' }, '', undefined],
    [{}, 'x'.repeat(256 * 1024), undefined],
  ] as const) {
    const { command } = await commandOf(Buffer.from(text + added), { name: 'review', source: 'user', ...more })
    if (command === undefined) throw new Error('It is no skill.')
    const { parent, runs } = await yard({ commands: [command] })
    await parent.invoke('review', { caller: 'user' })
    const [run] = await runs.find()
    expect(run).toMatchObject({ skill: { name: 'review', ...(added === '' && { digest }) } })
    expect(run !== undefined && 'skill' in run ? run.skill.text : 'none').toBe(sent)
  }
})

test('one in the background gives its id at once, and its end is told later', async () => {
  const { parent, work } = await yard({ commands: [skill({ background: true })] })
  const told = new Promise(resolve => parent.skills.hook('fork:ended', resolve))
  const { data } = await parent.invoke()
  expect(data).not.toHaveProperty('result')
  expect(await work({ commands: [skill({ background: true })] })).toBe(data['agentId'])
  await told
  expect(parent.ended).toMatchObject([{ agentId: data['agentId'], result: 'All is well.' }])
})

test('a caller that repeats an invocation with the same key gets the same run, and no second one', async () => {
  const { parent, runs, work } = await yard({ commands: [skill({ background: true })] })
  const invoke = async (idempotencyKey?: string): Promise<unknown> =>
    (await parent.invoke('review', { idempotencyKey })).data['agentId']
  const id = await invoke('order 7')
  expect(await work({ commands: [skill({ background: true })] })).toBe(id)
  expect(await invoke('order 7')).toBe(id)
  expect(await runs.find()).toMatchObject([{ id, state: 'done' }])
  expect(new Set([id, await invoke('order 8'), await invoke(), await invoke()]).size).toBe(4)
  await expect(parent.invoke('review', { idempotencyKey: 'order 7', args: 'other' })).rejects.toMatchObject({
    code: 'E_RUN_STATE',
  })
})

test('one is over once the last question that other processes answer is', async () => {
  const runner: Setting['run'] = async (request, { signal }) => {
    const ask = async (content: string): Promise<string> => {
      const { behavior } = await request.authorize({ tool: 'Bash', content, input: {}, toolUseId: content })
      signal.throwIfAborted()
      return behavior
    }
    return { text: `${await ask('git push')} ${await ask('git tag')}` }
  }
  const heard: unknown[] = []
  const { parent, runs, work } = await yard({ check: request => (heard.push(request.content), check(request)) })
  const told = new Promise(resolve => parent.skills.hook('fork:ended', resolve))
  const invoked = parent.invoke()
  const id = await work({ run: runner, check })
  await invoked
  const answer = async (): Promise<unknown> => runs.answer(id, (await runs.get(id)).question?.id ?? '', 'deny')
  await answer()
  await work({ run: runner, check })
  await vi.waitFor(() => expect(heard).toContain('git tag'), { timeout: 20_000 })
  await turn()
  // This process still knows it after its second question, and stops it.
  await parent.skills.emit('fork:stop', { agentId: id })
  await told
  expect((await runs.get(id)).state).toBe('cancelled')
})

test('one that fails elsewhere fails here, by its code', async () => {
  const { parent, work } = await yard()
  const invoked = parent.invoke().catch((error: unknown) => error)
  await work({ run: () => Promise.reject(new Error('The well is dry')) })
  expect(await invoked).toMatchObject({ code: 'E_PROVIDER_FAILED' })
  expect(parent.ended).toMatchObject([{ error: { message: expect.stringContaining('The well is dry') } }])
})

test('what it asks is put to a person who is here; a rule here that allows it answers nothing', async () => {
  const asked = await yard({ check, onAsk: () => 'allow' })
  const invoked = asked.parent.invoke()
  await asked.work({ run: pushes, check })
  await asked.work({ run: pushes, check })
  expect((await invoked).data).toMatchObject({ result: 'It was: allow' })
  const ruled = await yard()
  const left = ruled.parent.invoke()
  const id = await ruled.work({ run: pushes, check })
  expect((await left).data).not.toHaveProperty('result')
  expect(await ruled.runs.get(id)).toMatchObject({ state: 'waiting', question: { content: 'git push' } })
})

test('one that waits for an answer of another process is told of when it ends, in the background or not', async () => {
  for (const background of [true, false]) {
    const commands = [skill({ background })]
    const { parent, runs, work } = await yard({ commands })
    const told = new Promise(resolve => parent.skills.hook('fork:ended', resolve))
    const invoked = parent.invoke()
    const id = await work({ commands, run: pushes, check })
    expect((await invoked).data).not.toHaveProperty('result')
    const run = await runs.get(id)
    await runs.answer(id, run.question?.id ?? '', 'deny')
    await work({ commands, run: pushes, check })
    await told
    expect(parent.ended).toMatchObject([{ agentId: id, result: 'It was: deny' }])
  }
})

test('a caller that gives up cancels it, and so does fork:stop; a closed engine leaves it to the workers', async () => {
  for (const [end, state] of [
    [({ parent }: Yard, id: string) => parent.skills.emit('fork:stop', { agentId: id }), 'cancelled'],
    [(_yard: Yard, _id: string, caller: AbortController) => caller.abort(), 'cancelled'],
    [({ parent }: Yard) => parent.skills.close(), 'queued'],
  ] as const) {
    const own = await yard()
    const caller = new AbortController()
    const invoked = own.parent.invoke('review', { signal: caller.signal }).catch((error: unknown) => error)
    const run = await queuedOf(own.runs)
    await end(own, run.id, caller)
    expect(await invoked).toBeInstanceOf(Error)
    expect(await own.runs.get(run.id)).toMatchObject({ state })
  }
})
