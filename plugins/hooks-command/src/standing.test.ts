import { defineProvider } from '@skills/core'
import { describe, expect, it, test } from 'vitest'
import { engine, hooks, skill } from '../test/engine.js'
import type { TrustLevel } from '@skills/rules'

describe('what must not be run', () => {
  test.each([
    ['untrusted', 'it is not trusted'],
    ['remote', 'a skill from a server never runs anything'],
  ] as const)('is not, of a skill that is %s', async (level, reason) => {
    const { ask, invoke, lines, told } = engine([skill('a', hooks('Stop', 'echo run >> log'))], {
      trustOf: () => level,
    })
    await invoke('a')
    await ask('Stop')
    expect(lines('log')).toEqual([])
    expect(told).toMatchObject([
      {
        severity: 'warning',
        code: 'hooks-not-registered',
        name: 'a',
        field: 'hooks',
        message: `The hooks of the skill "a" do not run: ${reason}.`,
      },
    ])
  })

  it('is not any more when trust was taken back', async () => {
    let level: TrustLevel = 'trusted'
    const { ask, invoke, lines, told } = engine([skill('a', hooks('Stop', 'echo run >> log'))], {
      trustOf: () => level,
    })
    await invoke('a')
    await ask('Stop')
    level = 'untrusted'
    await ask('Stop')
    expect(lines('log')).toEqual(['run'])
    expect(told).toMatchObject([{ code: 'hook-failed', message: expect.stringContaining('not trusted') }])
  })

  it('is not any more when the skill has changed since it was approved', async () => {
    let approved = true
    const { ask, invoke, lines, told, skills } = engine(
      [skill('a', { ...hooks('Stop', 'echo run >> log'), ...hooks('SessionEnd', 'echo end >> log') })],
      { isApproved: () => approved },
    )
    await invoke('a')
    await ask('Stop')
    approved = false
    await ask('Stop')
    expect(told).toMatchObject([
      { code: 'hook-failed', message: expect.stringContaining('the skill has changed since it was approved') },
    ])
    // An engine that closes cannot check.
    approved = true
    await skills.close()
    expect(lines('log')).toEqual(['run'])
    expect(told).toHaveLength(2)
  })

  it('is where a host let a skill in that no one approved', async () => {
    const { ask, invoke, lines } = engine([skill('a', hooks('Stop', 'echo run >> log'))], { isApproved: () => false })
    await invoke('a')
    await ask('Stop')
    expect(lines('log')).toEqual(['run'])
  })

  it('is not where a policy forbids to run commands, or a gate fails', async () => {
    for (const forbids of [
      () => 'Policy says no.',
      () => {
        throw new Error('broken')
      },
    ]) {
      const gate = defineProvider({ kind: 'gate', id: 'policy', setup: () => ({ forbids }) })
      const { ask, invoke, lines, told } = engine([skill('a', hooks('Stop', 'echo run >> log'))], { plugins: [gate] })
      await invoke('a')
      await ask('Stop')
      expect(lines('log')).toEqual([])
      expect(told.map(({ code }) => code)).toContain('hooks-not-registered')
    }
  })
})
