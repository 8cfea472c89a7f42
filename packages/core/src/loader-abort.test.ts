import { describe, expect, test } from 'vitest'
import { deferred, engine, fileSkill, listing, names, settled, skill, source } from '../test/engine.js'
import { isAbortError, loadResult, type LoadResult, type SourceCall } from './index.js'

/** Makes a source that waits until a test releases it, and records the signals it was given. */
function gated(more: Parameters<typeof listing>[2] = {}) {
  const calls: SourceCall[] = []
  const gates = [deferred<LoadResult>()]
  const plugin = listing(
    'gated',
    call => {
      calls.push(call)
      return gates[calls.length - 1]?.promise ?? loadResult({ commands: [skill(`load${calls.length}`)] })
    },
    more,
  )
  return { calls, gate: gates[0], plugin }
}

describe('a caller that gives up', () => {
  test('gets an AbortError, and the source’s signal aborts', async () => {
    const { calls, plugin } = gated()
    const { skills, diagnostics, clock } = engine({ plugins: [plugin] })
    const caller = new AbortController()
    const loading = expect(skills.catalog({ signal: caller.signal })).rejects.toSatisfy(isAbortError)
    await settled()
    caller.abort()
    await loading
    await settled()
    expect(calls[0]?.signal.aborted).toBe(true)
    expect(diagnostics).toEqual([])
    expect(clock.pending).toBe(0)
  })

  test('gets an AbortError regardless of the reason of its signal is', async () => {
    const { plugin } = gated()
    const { skills } = engine({ plugins: [plugin] })
    const caller = new AbortController()
    const { signal } = caller
    const loading = expect(skills.catalog({ signal })).rejects.toMatchObject({
      name: 'AbortError',
      cause: 'changed my mind',
    })
    caller.abort('changed my mind')
    await loading
  })

  test('before the start is refused at once, and nothing is asked', async () => {
    const { calls, plugin } = gated()
    const { skills } = engine({ plugins: [plugin] })
    await expect(skills.catalog({ signal: AbortSignal.abort() })).rejects.toSatisfy(isAbortError)
    await settled()
    expect(calls).toEqual([])
  })

  test('takes nothing from the others: only the last one ends the work', async () => {
    const { calls, plugin } = gated()
    const { skills } = engine({ plugins: [plugin] })
    const [one, two] = [new AbortController(), new AbortController()]
    const first = expect(skills.catalog({ signal: one.signal })).rejects.toSatisfy(isAbortError)
    const second = expect(skills.catalog({ signal: two.signal })).rejects.toSatisfy(isAbortError)
    await settled()
    one.abort()
    await first
    await settled()
    expect(calls[0]?.signal.aborted).toBe(false)
    two.abort()
    await second
    await settled()
    expect(calls[0]?.signal.aborted).toBe(true)
  })

  test('leaves the others their catalog', async () => {
    const { gate, plugin } = gated()
    const { skills } = engine({ plugins: [plugin] })
    const caller = new AbortController()
    const gone = expect(skills.catalog({ signal: caller.signal })).rejects.toSatisfy(isAbortError)
    const patient = skills.catalog()
    await settled()
    caller.abort()
    await gone
    gate?.resolve(loadResult({ commands: [skill('a')] }))
    expect(names((await patient).entries)).toEqual(['a'])
  })

  test('leaves the next load a fresh start', async () => {
    const { calls, gate, plugin } = gated()
    const { skills } = engine({ plugins: [plugin, source('other', [skill('z')])] })
    const caller = new AbortController()
    const loading = skills.catalog({ signal: caller.signal }).catch(() => skills.catalog())
    await settled()
    caller.abort()
    await settled()
    gate?.resolve(loadResult({ commands: [skill('from the abandoned load')] }))
    expect(names((await loading).entries)).toEqual(['load2', 'z'])
    expect(calls).toHaveLength(2)
  })

  test('leaves the work to one who asks in the same breath', async () => {
    const { calls, gate, plugin } = gated()
    const { skills } = engine({ plugins: [plugin] })
    const caller = new AbortController()
    const loading = expect(skills.catalog({ signal: caller.signal })).rejects.toSatisfy(isAbortError)
    await settled()
    caller.abort()
    const next = skills.catalog()
    await loading
    gate?.resolve(loadResult({ commands: [skill('a')] }))
    expect(names((await next).entries)).toEqual(['a'])
    expect(calls).toHaveLength(1)
  })

  test('leaves a whole catalog to the code that asks next, at any moment', async () => {
    for (let turns = 0; turns < 20; turns++) {
      const { gate, plugin } = gated()
      const { skills } = engine({ plugins: [plugin, source('other', [skill('z')])] })
      const caller = new AbortController()
      const loading = expect(skills.catalog({ signal: caller.signal })).rejects.toSatisfy(isAbortError)
      await settled()
      caller.abort()
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      const next = skills.catalog()
      await loading
      gate?.resolve(loadResult({ commands: [skill('load1')] }))
      expect(names((await next).entries)).toEqual([expect.stringMatching(/^load[12]$/), 'z'])
    }
  })

  test('of a refresh leaves no change unseen, though the source thinks it told of it', async () => {
    let text = 'old'
    let told = 'old'
    const quick = listing('quick', () => loadResult({ commands: [skill((told = text))] }), {
      refresh() {
        if (told === text) return undefined
        told = text
        return loadResult({ commands: [skill(text)] })
      },
    })
    let isHung = false
    const slow = listing('slow', () => (isHung ? new Promise(() => {}) : loadResult({})))
    const { skills } = engine({ plugins: [quick, slow] })
    await skills.catalog()
    text = 'new'
    isHung = true
    const caller = new AbortController()
    const refreshing = expect(skills.refresh(undefined, { signal: caller.signal })).rejects.toSatisfy(isAbortError)
    await settled()
    caller.abort()
    await refreshing
    isHung = false
    expect(names((await skills.catalog()).entries)).toEqual(['new'])
  })

  test('while files are compared ends that too, and the next load compares again', async () => {
    const comparing = deferred()
    let isHung = true
    const digest = (): Promise<string> => {
      comparing.resolve()
      return isHung ? new Promise<string>(() => {}) : Promise.resolve('same')
    }
    const loads: unknown[] = []
    const { skills, clock, codes } = engine({
      plugins: [
        source('one', [fileSkill('a', 'project', '/p/a/SKILL.md', 'text', { digest })]),
        source('two', [fileSkill('a', 'user', '/u/a/SKILL.md', 'text', { digest })]),
      ],
    })
    const caller = new AbortController()
    const loading = expect(skills.catalog({ signal: caller.signal })).rejects.toSatisfy(isAbortError)
    skills.hook('sources:loaded', load => loads.push(load))
    await comparing.promise
    caller.abort()
    await loading
    await settled()
    expect(loads).toEqual([])
    isHung = false
    const catalog = await skills.catalog()
    expect(catalog.collisions.map(({ rule }) => rule)).toEqual(['same-text'])
    expect(codes()).toEqual([])
    expect(clock.pending).toBe(0)
  })

  test('of explain gets an AbortError', async () => {
    const plugin = listing('s', () => loadResult({}), { explain: () => new Promise(() => {}) })
    const { skills } = engine({ plugins: [plugin] })
    const caller = new AbortController()
    const explaining = expect(skills.explain('x', { signal: caller.signal })).rejects.toSatisfy(isAbortError)
    await settled()
    caller.abort()
    await explaining
  })
})

test('a second caller with an aborted signal joins nothing', async () => {
  const { gate, plugin } = gated()
  const { skills } = engine({ plugins: [plugin] })
  const loading = skills.catalog()
  await expect(skills.catalog({ signal: AbortSignal.abort() })).rejects.toSatisfy(isAbortError)
  gate?.resolve(loadResult({}))
  await loading
})

test('closing while files are compared ends the load', async () => {
  const comparing = deferred()
  const digest = (): Promise<string> => {
    comparing.resolve()
    return new Promise<string>(() => {})
  }
  const { skills, clock } = engine({
    plugins: [
      source(
        's',
        ['/p/a', '/q/a'].map(path => fileSkill('a', 'user', `${path}/SKILL.md`, 'text', { digest })),
      ),
    ],
  })
  const loading = expect(skills.catalog()).rejects.toSatisfy(isAbortError)
  await comparing.promise
  await skills.close()
  await loading
  await settled()
  expect(clock.pending).toBe(0)
})
