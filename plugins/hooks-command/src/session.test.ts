import { setImmediate } from 'node:timers/promises'
import { defineProvider, loadResult } from '@skills/core'
import { endSession, startSession } from '@skills/invocation'
import { describe, expect, it, vi } from 'vitest'
import { engine, hooks, skill } from '../test/engine.js'

describe('a session', () => {
  it('that ends tells the hooks, and then there are none', async () => {
    const { ask, invoke, skills, lines } = engine([
      skill('a', { ...hooks('SessionEnd', 'echo end >> log'), ...hooks('Stop', 'echo stop >> log') }),
    ])
    await invoke('a')
    await endSession(skills, { reason: 'logout' })
    await ask('Stop')
    await endSession(skills)
    expect(lines('log')).toEqual(['end'])
  })

  it('ends with its event too', async () => {
    const { ask, invoke, skills, lines } = engine([
      skill('a', { ...hooks('SessionEnd', 'echo end >> log'), ...hooks('Stop', 'echo stop >> log') }),
    ])
    await invoke('a')
    skills.emit('session:end', { reason: 'clear' })
    await vi.waitFor(() => expect(lines('log')).toEqual(['end']))
    await ask('Stop')
    expect(lines('log')).toEqual(['end'])
  })

  it('ends when the engine closes, which waits for the hooks', async () => {
    const { invoke, skills, lines } = engine([
      skill('a', hooks('SessionEnd', 'echo end >> log; sleep 0.05; echo done >> log')),
    ])
    await invoke('a')
    await skills.close()
    expect(lines('log')).toEqual(['end', 'done'])
  })

  it('that starts brings along what plugins declare, if they are trusted', async () => {
    const fromStart = ['good', 'bad'].map(name =>
      skill(
        name,
        { ...hooks('SessionStart', `echo start ${name} >> log`), ...hooks('Stop', `echo stop ${name} >> log`) },
        { source: 'plugin', pluginName: name, isSkill: false },
      ),
    )
    const { ask, skills, lines, told } = engine([], {
      fromStart,
      trustOf: ({ name }) => (name === 'good' ? 'trusted' : 'untrusted'),
    })
    await startSession(skills)
    await ask('Stop')
    expect(lines('log')).toEqual(['start good', 'stop good'])
    expect(told).toMatchObject([
      { code: 'hooks-not-registered', message: expect.stringMatching(/"bad" .*not trusted/), provider: 'command' },
    ])
  })

  it('starts without the hooks of a source that fails, which is reported, and with those of the others', async () => {
    const broken = Object.assign(
      { source: 'plugin', list: () => loadResult({}) },
      { hooks: () => Promise.reject(new Error('broken')) },
    )
    const { ask, lines, told } = engine([], {
      fromStart: [skill('p', hooks('Stop', 'echo stop >> log'))],
      plugins: [defineProvider({ kind: 'source', id: 'broken', setup: () => broken })],
    })
    await ask('Stop')
    expect(lines('log')).toEqual(['stop'])
    expect(told).toMatchObject([{ code: 'provider-failed', provider: 'broken' }])
  })

  it('that no one announced starts with the first question', async () => {
    const { ask, lines } = engine([], { fromStart: [skill('p', hooks('Stop', 'echo stop >> log'))] })
    await ask('Stop')
    expect(lines('log')).toEqual(['stop'])
  })

  it('is announced once: by the code that starts it, or by its event', async () => {
    const { skills, lines, ask } = engine([], { fromStart: [skill('p', hooks('SessionStart', 'echo start >> log'))] })
    await ask('Stop')
    skills.emit('session:start', { reason: 'startup' })
    await vi.waitFor(() => expect(lines('log')).toEqual(['start']))
    await endSession(skills)
    await startSession(skills)
    await setImmediate()
    await skills.close()
    expect(lines('log')).toEqual(['start', 'start'])
  })
})
