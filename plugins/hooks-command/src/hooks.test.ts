import { describe, expect, it, test } from 'vitest'
import { registerHooks, skillHookEvents } from '@skills/invocation'
import { engine, hooks, skill } from '../test/engine.js'

describe('hooks of a skill', () => {
  it('take effect when it is invoked, and not before', async () => {
    const { ask, invoke } = engine([skill('guard', hooks('PreToolUse', 'echo "Not now." >&2; exit 2'))])
    expect(await ask('PreToolUse', { toolName: 'Bash' })).toEqual({})
    await invoke('guard')
    expect(await ask('PreToolUse', { toolName: 'Bash' })).toEqual({ block: true, reason: 'Not now.' })
  })

  test.each(skillHookEvents)('are asked about %s alone', async event => {
    const { ask, invoke, lines } = engine([
      skill('all', Object.assign({}, ...skillHookEvents.map(one => hooks(one, `echo ${one} >> log`)))),
    ])
    await invoke('all')
    await ask(event, { toolName: 'Read' })
    expect(lines('log')).toEqual([event])
  })

  it('may each block, and say why, in their order', async () => {
    const { ask, invoke, lines } = engine([
      skill(
        'a',
        hooks('PreToolUse', 'echo 1 >> log', 'echo 2 >> log; echo "no 2" >&2; exit 2', 'echo 3 >> log; exit 2'),
      ),
      skill('b', hooks('PreToolUse', 'echo 4 >> log; exit 2')),
    ])
    await invoke('a')
    await invoke('b')
    expect(await ask('PreToolUse', { toolName: 'Read' })).toEqual({ block: true, reason: 'no 2' })
    expect(lines('log')).toEqual(['1', '2'])
  })

  it('all hear of what has happened, a caller that blocks', async () => {
    const { ask, invoke, lines } = engine([
      skill(
        'a',
        hooks('PostToolUse', 'echo 1 >> log; echo first >&2; exit 2', 'echo 2 >> log; echo second >&2; exit 2'),
      ),
    ])
    await invoke('a')
    expect(await ask('PostToolUse', { toolName: 'Read' })).toEqual({ block: true, reason: 'first' })
    expect(lines('log')).toEqual(['1', '2'])
  })

  it('are registered once, however often it is invoked', async () => {
    const { ask, invoke, lines } = engine([skill('a', hooks('Stop', 'echo run >> log'))])
    await invoke('a')
    await invoke('a')
    await ask('Stop')
    expect(lines('log')).toEqual(['run'])
  })

  it('are there until each registration is undone, and undoing twice undoes one', async () => {
    const command = skill('a', hooks('Stop', 'echo run >> log'))
    const { ask, lines, skills } = engine([])
    const register = (): Promise<() => void> =>
      registerHooks(skills.use('hooks'), { command, trust: 'trusted' }, { signal: skills.signal })
    const [first, second] = [await register(), await register()]
    first()
    first()
    await ask('Stop')
    second()
    await ask('Stop')
    expect(lines('log')).toEqual(['run'])
  })

  it('count for a tool that was asked about before they were registered', async () => {
    const blocking = (tool: string): unknown => ({
      PreToolUse: [{ matcher: tool, hooks: [{ type: 'command', command: 'exit 2' }] }],
    })
    const { ask, invoke } = engine([skill('a', blocking('Bash')), skill('b', blocking('Read'))])
    await invoke('a')
    expect(await ask('PreToolUse', { toolName: 'Read' })).toEqual({})
    await invoke('b')
    expect(await ask('PreToolUse', { toolName: 'Read' })).toMatchObject({ block: true })
  })

  it('are those of the last time when it was changed', async () => {
    const declared = { now: hooks('Stop', 'echo old >> log') }
    const changing = {
      ...skill('a', undefined),
      get hooks() {
        return declared.now
      },
    }
    const { ask, invoke, lines } = engine([changing])
    await invoke('a')
    declared.now = hooks('Stop', 'echo new >> log')
    await invoke('a')
    await ask('Stop')
    expect(lines('log')).toEqual(['new'])
  })

  it('are undone when its invocation fails', async () => {
    const { ask, invoke, lines } = engine([
      skill('a', hooks('Stop', 'echo run >> log'), { load: () => ({ template: 'fail' }) }),
    ])
    await expect(invoke('a')).rejects.toThrow('It failed.')
    await ask('Stop')
    expect(lines('log')).toEqual([])
  })

  it('stay when a later invocation fails', async () => {
    const body = { template: 'fine' }
    const { ask, invoke, lines } = engine([skill('a', hooks('Stop', 'echo run >> log'), { load: () => ({ ...body }) })])
    await invoke('a')
    body.template = 'fail'
    await expect(invoke('a')).rejects.toThrow('It failed.')
    await ask('Stop')
    expect(lines('log')).toEqual(['run'])
  })

  it('are asked one after the other', async () => {
    const { ask, invoke, lines } = engine([
      skill('a', hooks('Stop', 'echo 1 begin >> log; sleep 0.05; echo 1 end >> log', 'echo 2 >> log')),
    ])
    await invoke('a')
    await ask('Stop')
    expect(lines('log')).toEqual(['1 begin', '1 end', '2'])
  })
})

describe('"once"', () => {
  const once = (command: string): unknown => ({ Stop: [{ hooks: [{ type: 'command', command, once: true }] }] })

  it('is over with the first success, also for the next invocation', async () => {
    const { ask, invoke, lines, tree } = engine([skill('a', once('echo run >> log; test -e ready'))])
    await invoke('a')
    await ask('Stop')
    await ask('Stop')
    expect(lines('log')).toHaveLength(2)
    tree.write({ ready: '' })
    await ask('Stop')
    await ask('Stop')
    await invoke('a')
    await ask('Stop')
    expect(lines('log')).toHaveLength(3)
  })

  it('goes on blocking, of a hook that blocks by its answer', async () => {
    const { ask, invoke, lines } = engine([skill('a', once(`echo run >> log; echo '{"decision":"block"}'`))])
    await invoke('a')
    for (const isContinued of [false, true]) {
      const payload = { message: 'x', stopHookActive: isContinued }
      expect(await ask('Stop', payload)).toMatchObject({ block: true })
    }
    expect(lines('log')).toEqual(['run', 'run'])
  })

  it('is run once when it is asked twice at a time', async () => {
    const { ask, invoke, lines } = engine([skill('a', once('echo run >> log'))])
    await invoke('a')
    await Promise.all([ask('Stop'), ask('Stop'), ask('Stop')])
    await invoke('a')
    await ask('Stop')
    expect(lines('log')).toEqual(['run'])
  })
})
