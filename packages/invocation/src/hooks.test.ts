import { describe, expect, it, onTestFinished, test } from 'vitest'
import { createSkills, defineProvider, promptCommand, type Diagnostic, type Skills } from '@skills/core'
import { fakeHost } from '@skills/testing'
import { decide, endSession, invocationKinds, registerHooks, startSession, type Hooks } from './index.js'
import type { HookOwner } from './hooks.js'

const command = promptCommand({ name: 'a', source: 'user', hooks: { Stop: [] }, load: () => ({ template: '' }) })
const invocation = { command, trust: 'trusted' } as const

function engine(hooks?: Partial<Hooks>): {
  readonly skills: Skills
  readonly told: Diagnostic[]
  readonly setUps: string[]
} {
  const told: Diagnostic[] = []
  const setUps: string[] = []
  const provider = defineProvider({
    kind: 'hooks',
    id: 'own',
    setup() {
      setUps.push('own')
      return { register: () => () => undefined, decide: () => ({}), ...hooks }
    },
  })
  const skills = createSkills({
    host: fakeHost(),
    kinds: invocationKinds,
    plugins: hooks === undefined ? [] : [provider],
    onDiagnostic: diagnostic => told.push(diagnostic),
  })
  onTestFinished(() => skills.close())
  return { skills, told, setUps }
}

describe('asking the hooks', () => {
  it('gives what the provider says, and nothing blocks without one', async () => {
    expect(await decide(engine().skills, 'Stop', {})).toEqual({})
    const blocking = engine({ decide: () => ({ block: true, reason: 'No.' }) }).skills
    expect(await decide(blocking, 'Stop', {})).toEqual({ block: true, reason: 'No.' })
    // The same is a method of the engine.
    expect(await blocking.decide('Stop', {})).toEqual({ block: true, reason: 'No.' })
    await expect(blocking.decide('Stop', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
  })

  it('asks no question where the provider knows that there is nothing to ask, which it is asked each time', async () => {
    const asked: unknown[] = []
    let has = true
    const { skills } = engine({
      decide: (event, { toolName }) => (asked.push([event, toolName]), {}),
      hasHooks: () => has,
    })
    await decide(skills, 'PreToolUse', { toolName: 'a' })
    has = false
    await decide(skills, 'PreToolUse', { toolName: 'b' })
    has = true
    await decide(skills, 'PreToolUse', { toolName: 'c' })
    expect(asked).toEqual([
      ['PreToolUse', 'a'],
      ['PreToolUse', 'c'],
    ])
  })

  it('rejects when it is given up or the engine is closed, also where there is nothing to ask', async () => {
    const { skills } = engine({ hasHooks: () => false })
    await decide(skills, 'Stop', {})
    await expect(decide(skills, 'Stop', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
    await skills.close()
    await expect(decide(skills, 'Stop', {})).rejects.toMatchObject({ code: 'E_CLOSED' })
  })

  it('goes on, and a diagnostic says why, when the provider fails', async () => {
    const { skills, told } = engine({
      decide: () => {
        throw new Error('broken')
      },
    })
    expect(await decide(skills, 'Stop', {})).toEqual({})
    expect(told).toMatchObject([{ code: 'provider-failed', provider: 'own' }])
  })
})

describe('registering the hooks of an invocation', () => {
  it('sets no one up for a skill without hooks', async () => {
    const { skills, setUps } = engine({})
    for (const hooks of [undefined, null])
      (
        await registerHooks(
          skills.use('hooks'),
          { ...invocation, command: { ...command, hooks } },
          { signal: skills.signal },
        )
      )()
    expect(setUps).toEqual([])
  })

  it('does nothing where no one keeps hooks', async () => {
    const { skills } = engine()
    const undo = await registerHooks(skills.use('hooks'), invocation, { signal: skills.signal })
    expect(undo).not.toThrow()
  })

  it('registers them for the agent that it was invoked in, or for the fork that it makes, which is forgotten in the end', async () => {
    const owners: HookOwner[] = []
    const undone: string[] = []
    const { skills } = engine({
      register(owner) {
        owners.push(owner)
        return () => undone.push(`undone ${owner.agentId}`)
      },
      enter: (agentId, parentId) => undone.push(`${agentId} in ${parentId}`),
      forget: agentId => undone.push(`forgot ${agentId}`),
    })
    const inline = await registerHooks(
      skills.use('hooks'),
      { ...invocation, agentId: 'outer' },
      { signal: skills.signal },
    )
    const fork = await registerHooks(
      skills.use('hooks'),
      { ...invocation, agentId: 'outer' },
      { signal: skills.signal, forkId: 'fork' },
    )
    const bare = await registerHooks(
      skills.use('hooks'),
      { ...invocation, command: { ...command, hooks: undefined } },
      { signal: skills.signal, forkId: 'bare' },
    )
    expect(owners).toEqual([
      { command, trust: 'trusted', agentId: 'outer' },
      { command, trust: 'trusted', agentId: 'fork' },
    ])
    expect(undone.splice(0)).toEqual(['fork in outer', 'bare in undefined'])
    for (const undo of [inline, fork, bare]) undo()
    expect(undone).toEqual(['undone outer', 'undone fork', 'forgot fork', 'forgot bare'])
  })

  it('forgets a fork whose hooks cannot be registered', async () => {
    const entered: string[] = []
    const { skills, told } = engine({
      register: () => {
        throw new Error('broken')
      },
      enter: agentId => entered.push(`entered ${agentId}`),
      forget: agentId => entered.push(`forgot ${agentId}`),
    })
    const undo = await registerHooks(skills.use('hooks'), invocation, { signal: skills.signal, forkId: 'fork' })
    undo()
    expect(entered).toEqual(['entered fork', 'forgot fork'])
    expect(told).toMatchObject([{ code: 'provider-failed' }])
  })

  it('leaves nothing behind when it is given up in the middle', async () => {
    const undone: string[] = []
    const controller = new AbortController()
    const { promise, release } = gate()
    const { skills } = engine({
      async register() {
        await promise
        return () => undone.push('undone')
      },
    })
    const registering = registerHooks(skills.use('hooks'), invocation, { signal: controller.signal })
    await skills.use('hooks').first(() => undefined)
    controller.abort()
    await expect(registering).rejects.toMatchObject({ name: 'AbortError' })
    expect(undone).toEqual([])
    release()
    await skills.use('hooks').first(() => undefined)
    expect(undone).toEqual(['undone'])
  })
})

test('a session is begun and ended by asking the hooks and telling a caller that listens', async () => {
  const events: unknown[] = []
  const { skills } = engine({
    decide: (event, payload) => (events.push([event, payload]), { block: event === 'SessionStart' }),
  })
  for (const name of ['session:start', 'session:end'] as const) skills.hook(name, event => events.push([name, event]))
  expect(await startSession(skills)).toEqual({ block: true })
  await endSession(skills, { reason: 'logout' })
  await new Promise(resolve => {
    setImmediate(resolve)
  })
  expect(events).toEqual([
    ['SessionStart', { reason: 'startup' }],
    ['session:start', { reason: 'startup' }],
    ['SessionEnd', { reason: 'logout' }],
    ['session:end', { reason: 'logout' }],
  ])
})

function gate(): { readonly promise: Promise<void>; readonly release: () => void } {
  let release = (): void => undefined
  const promise = new Promise<void>(resolve => {
    release = resolve
  })
  return { promise, release: () => release() }
}
