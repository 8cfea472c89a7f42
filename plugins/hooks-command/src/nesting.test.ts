import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { endSession, registerHooks } from '@skills/invocation'
import { engine, hooks, skill, type Bench } from '../test/engine.js'
import { Nesting } from './nesting.js'
import type { PromptCommand } from '@skills/core'

const logging = (name: string, event = 'PreToolUse'): PromptCommand => skill(name, hooks(event, `echo ${name} >> log`))
const plain = skill('plain', undefined)

/** Forks a skill inside an agent, as an executor does. Returns a function that ends the fork. */
function fork({ skills }: Bench, command: PromptCommand, forkId: string, agentId?: string): Promise<() => void> {
  return registerHooks(skills.use('hooks'), { command, trust: 'trusted', agentId }, { signal: skills.signal, forkId })
}

/** Returns the skills whose hooks are asked when an agent wants to use a tool. */
async function askedBy({ ask, lines }: Bench, agentId?: string): Promise<readonly string[]> {
  const before = lines('log').length
  await ask('PreToolUse', { toolName: 'Bash', agentId })
  return lines('log').slice(before)
}

describe('hooks of a fork', () => {
  it('act in it and in every fork within it, after those of the conversation and before those further in', async () => {
    const bench = engine([logging('conversation')])
    await fork(bench, logging('outer'), 'f1')
    await fork(bench, plain, 'f2', 'f1')
    await fork(bench, logging('inner'), 'f3', 'f2')
    await fork(bench, logging('other'), 'g1')
    // Registered last and asked first: outer hooks come before inner ones.
    await bench.invoke('conversation')
    expect(await askedBy(bench, 'f3')).toEqual(['conversation', 'outer', 'inner'])
    expect(await askedBy(bench, 'f2')).toEqual(['conversation', 'outer'])
    expect(await askedBy(bench, 'f1')).toEqual(['conversation', 'outer'])
    expect(await askedBy(bench, 'g1')).toEqual(['conversation', 'other'])
    expect(await askedBy(bench)).toEqual(['conversation'])
  })

  it('are those of skills that were invoked in it too, whenever that was', async () => {
    const bench = engine([logging('late')])
    await fork(bench, plain, 'f1')
    await fork(bench, logging('inner'), 'f2', 'f1')
    await bench.invoke('late', 'f1')
    expect(await askedBy(bench, 'f2')).toEqual(['late', 'inner'])
  })

  it('keep the outermost that blocks as the answer', async () => {
    const bench = engine([])
    await fork(bench, skill('inner', hooks('PreToolUse', 'echo inner >&2; exit 2')), 'f2', 'f1')
    await fork(bench, skill('outer', hooks('PreToolUse', 'echo outer >&2; exit 2')), 'f1')
    expect(await bench.ask('PreToolUse', { toolName: 'Bash', agentId: 'f2' })).toEqual({ block: true, reason: 'outer' })
  })

  it('end with it, also for a fork in the background that outlives it, which goes on with those further out', async () => {
    const bench = engine([])
    const ends = [
      await fork(bench, logging('a'), 'f1'),
      await fork(bench, logging('b'), 'f2', 'f1'),
      await fork(bench, logging('c'), 'f3', 'f2'),
    ] as const
    ends[1]()
    expect(await askedBy(bench, 'f3')).toEqual(['a', 'c'])
    ends[0]()
    expect(await askedBy(bench, 'f3')).toEqual(['c'])
    ends[2]()
    expect(await askedBy(bench, 'f3')).toEqual([])
  })

  it('end while one of them is being run: those that would have been next are not', async () => {
    const bench = engine([])
    const end = await fork(
      bench,
      skill('outer', hooks('PreToolUse', 'echo first >> log; cat go', 'echo second >> log')),
      'f1',
    )
    await fork(bench, logging('inner'), 'f2', 'f1')
    const { execFileSync } = await import('node:child_process')
    execFileSync('mkfifo', [`${bench.tree.path}/go`])
    const asked = bench.ask('PreToolUse', { toolName: 'Bash', agentId: 'f2' })
    const { open } = await import('node:fs/promises')
    // Opens once the hook reads from it, which shows that the hook is running.
    const file = await open(`${bench.tree.path}/go`, 'w')
    end()
    await file.close()
    await asked
    expect(bench.lines('log')).toEqual(['first', 'inner'])
  })

  it('of Stop are asked when the fork itself stops, as of a sub-agent, and not when one within it does', async () => {
    const bench = engine([])
    await fork(
      bench,
      skill('outer', { ...hooks('Stop', 'cat >> input; exit 2'), ...hooks('SubagentStop', 'echo outer >> log') }),
      'f1',
    )
    await fork(bench, plain, 'f2', 'f1')
    const { skills } = bench
    const hasHooks = (agentId?: string): Promise<boolean | undefined> =>
      skills.use('hooks').first(one => one.hasHooks?.('SubagentStop', { agentId }))
    expect(await bench.ask('SubagentStop', { agentId: 'f2' })).toEqual({})
    expect(bench.lines('log')).toEqual(['outer'])
    expect(await bench.ask('SubagentStop', { agentId: 'f1', message: 'Done.' })).toMatchObject({ block: true })
    expect(JSON.parse(bench.lines('input').join(''))).toMatchObject({
      hook_event_name: 'SubagentStop',
      message: 'Done.',
      stop_hook_active: false,
      agent_id: 'f1',
    })
    expect([await hasHooks('f1'), await hasHooks('f2'), await hasHooks('g'), await hasHooks()]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('of Stop alone are found without being asked', async () => {
    const bench = engine([])
    await fork(bench, logging('outer', 'Stop'), 'f1')
    await bench.ask('SubagentStop', { agentId: 'f1' })
    expect(bench.lines('log')).toEqual(['outer'])
  })

  it('go with the session, and what is inside what is still known in the next one', async () => {
    const bench = engine([logging('late')])
    await fork(bench, logging('outer'), 'f1')
    await fork(bench, plain, 'f2', 'f1')
    await endSession(bench.skills)
    expect(await askedBy(bench, 'f2')).toEqual([])
    await bench.invoke('late', 'f1')
    expect(await askedBy(bench, 'f2')).toEqual(['late'])
  })
})

test('a fork has around it all that began around it and nothing else, also what has ended since', () => {
  const forks = fc.array(fc.record({ parent: fc.option(fc.nat(30), { nil: undefined }), hasEnded: fc.boolean() }), {
    maxLength: 30,
  })
  fc.assert(
    fc.property(forks, all => {
      const nesting = new Nesting()
      const expected = new Map<string | undefined, readonly (string | undefined)[]>([[undefined, [undefined]]])
      const living = new Set<string>()
      for (const [at, { parent, hasEnded }] of all.entries()) {
        const [id, within] = [`f${at}`, parent === undefined || !living.has(`f${parent}`) ? undefined : `f${parent}`]
        nesting.enter(id, within)
        expected.set(id, [...(expected.get(within) ?? []), id])
        living.add(id)
        if (hasEnded && within !== undefined) {
          nesting.leave(within)
          living.delete(within)
        }
      }
      for (const id of living) expect(nesting.scopesOf(id)).toEqual(expected.get(id))
      expect(nesting.scopesOf('unheard of')).toEqual([undefined, 'unheard of'])
    }),
  )
})
