import { describe, expect, test } from 'vitest'
import { createSkills, defineProvider, loadResult, SkillsError } from '@skills/core'
import { invocationKinds, Invoker } from '@skills/invocation'
import { forkExecutor } from './index.js'
import { allowed, forking, hanging, skill, turn } from '../test/forking.js'

describe('a runner', () => {
  test('that throws fails the invocation with what it says', async () => {
    const failing = (error: unknown) =>
      forking({
        run: () => {
          throw error
        },
      })
    const { invoke, ended } = failing(new Error('The well is dry.'))
    await expect(invoke()).rejects.toMatchObject({
      code: 'E_PROVIDER_FAILED',
      message: expect.stringContaining('The well is dry.'),
    })
    await turn()
    expect(ended).toMatchObject([{ commandName: 'review', error: { code: 'E_PROVIDER_FAILED' } }])
    await expect(failing(new SkillsError('E_STATE', 'Its own words.')).invoke()).rejects.toMatchObject({
      code: 'E_STATE',
      message: 'Its own words.',
    })
  })

  test('that hangs is given up after the limit, and leaves no timer', async () => {
    const hang = hanging()
    const { invoke, clock, ended } = forking({ run: hang.run, limitMs: 1000 })
    const failure = invoke().catch((error: unknown) => error)
    await hang.begun(1)
    await clock.advance(1000)
    expect(await failure).toMatchObject({
      code: 'E_TIMEOUT',
      message: expect.stringContaining('The fork of "review" took longer than 1000 ms.'),
    })
    await turn()
    expect([hang.atWork(), clock.pending, ended.length]).toEqual([0, 0, 1])
  })

  test('is given half an hour', async () => {
    const hang = hanging()
    const { invoke, clock } = forking({ run: hang.run })
    let isOver = false
    const given = invoke().catch(() => {
      isOver = true
    })
    await hang.begun(1)
    await clock.advance(30 * 60_000 - 1)
    expect(isOver).toBe(false)
    await clock.advance(1)
    await given
    expect(isOver).toBe(true)
  })

  test.each([undefined, null, 'text', {}, { text: 7 }])(
    'that gives %j, which is no result, fails the invocation',
    async answer => {
      await expect(forking({ run: () => answer as never }).invoke()).rejects.toMatchObject({
        code: 'E_PROVIDER_FAILED',
        message: expect.stringContaining('"review"'),
      })
    },
  )

  test('that gives a result after it was given up is not heard', async () => {
    let give: () => void = () => {}
    let begin: () => void = () => {}
    const begun = new Promise<void>(resolve => {
      begin = resolve
    })
    const { invoke, ended } = forking({
      run: () =>
        new Promise(resolve => {
          give = () => resolve({ text: 'Too late.' })
          begin()
        }),
    })
    const controller = new AbortController()
    const given = invoke('review', { signal: controller.signal })
    await begun
    controller.abort()
    await expect(given).rejects.toMatchObject({ name: 'AbortError' })
    give()
    await turn()
    expect(ended).toHaveLength(1)
    expect(ended).toMatchObject([{ error: { name: 'AbortError' } }])
  })

  test('that goes on after its last step is stopped', async () => {
    const hang = hanging()
    const { invoke, requests } = forking({
      maxSteps: 3,
      run(request, call) {
        for (const steps of [1, 2, 3, 4]) request.progress({ type: 'step', steps })
        return hang.run(request, call)
      },
    })
    await expect(invoke()).rejects.toMatchObject({
      code: 'E_PROVIDER_FAILED',
      message: expect.stringContaining('took more steps than its limit of 3'),
    })
    await turn()
    expect([requests[0]?.maxSteps, hang.atWork()]).toEqual([3, 0])
  })

  test('that there is not is said before anything is done', async () => {
    let loaded = 0
    const command = skill({
      load: () => {
        loaded += 1
        return { template: '' }
      },
    })
    const skills = createSkills({
      kinds: invocationKinds,
      onDiagnostic: () => {},
      plugins: [
        defineProvider({
          kind: 'source',
          id: 'source',
          setup: () => ({ source: 'user', list: () => loadResult({ commands: [command] }) }),
        }),
        defineProvider({ kind: 'permission', id: 'all', setup: () => ({ check: () => allowed }) }),
        forkExecutor(),
      ],
    })
    await expect(new Invoker(skills).invoke({ name: 'review', caller: 'user' })).rejects.toMatchObject({
      code: 'E_MISSING_PROVIDER',
      message: expect.stringContaining('no runner'),
    })
    await skills.close()
    expect(loaded).toBe(1)
  })
})

describe('a fork in the background', () => {
  const background = [skill({ background: true })]

  test('gives its id at once, and its result later, once', async () => {
    let give: () => void = () => {}
    const { invoke, ended, requests } = forking({
      commands: background,
      run: () =>
        new Promise(resolve => {
          give = () => resolve({ text: 'Found it.', usage: { steps: 2 } })
        }),
    })
    const { data, newMessages } = await invoke('review', { agentId: 'parent', toolUseId: 't1' })
    expect([data, newMessages]).toEqual([
      { success: true, commandName: 'review', status: 'forked', agentId: expect.any(String) },
      [],
    ])
    expect(ended).toEqual([])
    await turn()
    expect(requests).toHaveLength(1)
    give()
    await turn()
    expect(ended).toEqual([
      {
        agentId: data['agentId'],
        commandName: 'review',
        parentId: 'parent',
        toolUseId: 't1',
        isBackground: true,
        result: 'Found it.',
        usage: { steps: 2, ms: 0 },
      },
    ])
  })

  test('that fails tells why, and nothing else does', async () => {
    const { invoke, ended, told } = forking({
      commands: background,
      run: () => Promise.reject(new Error('The well is dry.')),
    })
    await invoke()
    await turn()
    expect([ended.length, told]).toEqual([1, []])
    expect(ended).toMatchObject([{ isBackground: true, error: { code: 'E_PROVIDER_FAILED' } }])
  })

  test('goes on when a caller that asked for it gives up, and ends when the host says so', async () => {
    const hang = hanging()
    const { invoke, skills, ended } = forking({ commands: background, run: hang.run })
    const controller = new AbortController()
    const { data } = await invoke('review', { signal: controller.signal })
    await hang.begun(1)
    controller.abort()
    await turn()
    expect(hang.atWork()).toBe(1)
    skills.emit('fork:stop', { agentId: String(data['agentId']) })
    await turn()
    expect(hang.atWork()).toBe(0)
    expect(ended).toMatchObject([{ error: { name: 'AbortError' } }])
  })

  test('is one of fifty that run at once: closing the engine ends them all, and each is told of exactly once', async () => {
    const hang = hanging()
    const { invoke, skills, ended, clock } = forking({
      // Some forks end by themselves while the others still run.
      commands: background,
      run: (request, call) =>
        /[05]\.$/.test(JSON.stringify(request.messages).replace(/"}]]$/, ''))
          ? { text: 'Done.' }
          : hang.run(request, call),
    })
    const ids: unknown[] = []
    for (let at = 0; at < 50; at++) ids.push((await invoke('review', { args: String(at) })).data['agentId'])
    await hang.begun(40)
    await skills.close()
    expect([hang.atWork(), clock.pending]).toEqual([0, 0])
    expect(ended.map(({ agentId }) => agentId).toSorted()).toEqual(ids.toSorted())
    expect([
      ended.filter(({ result }) => result === 'Done.').length,
      ended.filter(({ error }) => error instanceof Error && error.name === 'AbortError').length,
    ]).toEqual([10, 40])
    await turn()
    expect(ended).toHaveLength(50)
  })
})

describe('closing the engine', () => {
  test('ends forks that a caller waits for, too', async () => {
    const hang = hanging()
    const { invoke, skills, ended } = forking({ run: hang.run })
    const given = invoke().catch((error: unknown) => error)
    await hang.begun(1)
    await skills.close()
    expect(await given).toMatchObject({ name: 'AbortError' })
    expect([hang.atWork(), ended.length]).toEqual([0, 1])
  })

  test('waits for a runner that has still something to do, and not for ever', async () => {
    let finish: () => void = () => {}
    const slow = forking({
      run: (_request, { signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener(
            'abort',
            () => {
              finish = () => reject(new Error('Written.'))
            },
            { once: true },
          ),
        ),
    })
    void slow.invoke().catch(() => {})
    await turn()
    let isClosed = false
    const closing = slow.skills.close().then(() => {
      isClosed = true
    })
    await turn()
    expect(isClosed).toBe(false)
    finish()
    await closing

    const deaf = forking({ run: () => new Promise(() => {}), graceMs: 100 })
    void deaf.invoke().catch(() => {})
    await turn()
    const closed = deaf.skills.close()
    await deaf.clock.advance(100)
    await closed
    expect(deaf.told).toMatchObject([{ code: 'runner-left', message: expect.stringMatching(/ 1 sub-agents 100 ms /) }])
  })
})
