import { describe, expect, test } from 'vitest'
import { deferred, engine, listing, settled, type Greeter } from '../test/engine.js'
import { defineProvider, loadResult, SkillsError, type Diagnostic, type MaybePromise, type Provider } from './index.js'

type PolicyKind = 'greeter' | 'judge' | 'worker'

/** Makes an engine whose only source asks every provider of one kind and records the answers. */
function asking(kind: PolicyKind, setups: Readonly<Record<string, () => MaybePromise<Greeter>>>) {
  const outcome: { answers?: readonly string[]; error?: unknown } = {}
  const plugins = Object.entries(setups).map(([id, setup]) => defineProvider({ kind, id, setup }))
  const asker: Provider<'source', PolicyKind> = defineProvider({
    kind: 'source',
    id: 'asker',
    needs: [kind],
    setup: ctx => ({
      source: 'user',
      async list({ signal }) {
        try {
          const answers = await ctx.use(kind).each(one => one.greet('you'), { signal })
          outcome.answers = answers.map(({ id, value }) => `${id}: ${value}`)
        } catch (error) {
          outcome.error = error
        }
        return loadResult({})
      },
    }),
  })
  return { outcome, ...engine({ plugins: [...plugins, asker] }) }
}

const fine = (): Greeter => ({ greet: () => 'fine' })
const throwing = (): Greeter => ({
  greet: () => {
    throw new Error('boom')
  },
})
const hanging = (): Greeter => ({ greet: () => new Promise<string>(() => {}) })
const failing = (): Greeter => {
  throw new Error('no set-up')
}

describe('a kind that isolates', () => {
  test.each([
    ['throws', throwing, 'provider-failed', 'The greeter provider "bad" failed: boom'],
    ['cannot be set up', failing, 'provider-failed', 'The greeter provider "bad" failed: no set-up'],
    ['hangs', hanging, 'provider-timeout', 'The greeter provider "bad" took longer than 1000 ms.'],
  ])('leaves out the answer of a provider that %s, and says why', async (_, bad, code, message) => {
    const { outcome, skills, clock, diagnostics } = asking('greeter', { bad, good: fine })
    const loading = skills.catalog()
    await clock.advance(1000)
    await loading
    expect(outcome.answers).toEqual(['good: fine'])
    expect(diagnostics).toEqual([expect.objectContaining({ severity: 'error', type: 'source', code, provider: 'bad' })])
    expect(diagnostics[0]?.message).toContain(message)
  })

  test('gives nothing as the first answer when the first provider fails', async () => {
    let first: string | undefined = 'not asked'
    const bad = defineProvider({ kind: 'greeter', id: 'bad', setup: throwing })
    const asker = defineProvider({
      kind: 'source',
      id: 'asker',
      needs: ['greeter'],
      setup: ctx => ({
        source: 'user',
        async list() {
          first = await ctx.use('greeter').first(one => one.greet('you'))
          return loadResult({})
        },
      }),
    })
    await engine({ plugins: [bad, asker] }).skills.catalog()
    expect(first).toBeUndefined()
  })
})

describe('a kind that is closed', () => {
  test.each([
    ['throws', throwing, 'bad: no: E_PROVIDER_FAILED'],
    ['cannot be set up', failing, 'bad: no: E_PROVIDER_FAILED'],
    ['hangs', hanging, 'bad: no: E_TIMEOUT'],
  ])('answers safely for a provider that %s, and says why', async (_, bad, answer) => {
    const { outcome, skills, clock, codes } = asking('judge', { bad, good: fine })
    const loading = skills.catalog()
    await clock.advance(1000)
    await loading
    expect(outcome.answers).toEqual([answer, 'good: fine'])
    expect(codes()).toHaveLength(1)
  })
})

describe('a kind that throws', () => {
  test.each([
    ['throws', throwing, 'E_PROVIDER_FAILED'],
    ['cannot be set up', failing, 'E_PROVIDER_FAILED'],
    ['hangs', hanging, 'E_TIMEOUT'],
  ])('gives its caller the coded error of a provider that %s', async (_, bad, code) => {
    const { outcome, skills, clock, diagnostics } = asking('worker', { bad })
    const loading = skills.catalog()
    await clock.advance(1000)
    await loading
    expect(SkillsError.is(outcome.error) && outcome.error.code).toBe(code)
    expect(diagnostics).toEqual([])
  })

  test('keeps the error as the cause', async () => {
    const { outcome, skills } = asking('worker', { bad: throwing })
    await skills.catalog()
    expect(outcome.error).toMatchObject({ cause: { message: 'boom' } })
  })

  test('passes on the provider’s own coded error', async () => {
    const own = new SkillsError('E_FILE_CHANGED', 'It changed.')
    const { outcome, skills } = asking('worker', { bad: () => ({ greet: () => Promise.reject(own) }) })
    await skills.catalog()
    expect(outcome.error).toBe(own)
  })
})

describe('a provider that fails only after it was given up', () => {
  const late = (diagnostics: readonly Diagnostic[]): Diagnostic | undefined =>
    diagnostics.find(({ code }) => code === 'late-failure')

  test('is reported', async () => {
    const answer = deferred<string>()
    const { skills, clock, diagnostics } = asking('greeter', { bad: () => ({ greet: () => answer.promise }) })
    const loading = skills.catalog()
    await clock.advance(1000)
    await loading
    expect(late(diagnostics)).toBeUndefined()
    answer.reject(new Error('too late'))
    await settled()
    expect(late(diagnostics)).toMatchObject({
      severity: 'info',
      provider: 'bad',
      message: expect.stringContaining('too late'),
    })
  })

  test('during its set-up is reported too', async () => {
    const instance = deferred<Greeter>()
    const { skills, clock, diagnostics } = asking('greeter', { bad: () => instance.promise })
    const loading = skills.catalog()
    await clock.advance(1000)
    await loading
    instance.reject(new Error('too late'))
    await settled()
    expect(late(diagnostics)).toMatchObject({ provider: 'bad' })
  })

  test('because it was aborted is no failure', async () => {
    const answer = deferred<string>()
    const { skills, clock, diagnostics } = asking('greeter', { bad: () => ({ greet: () => answer.promise }) })
    const loading = skills.catalog()
    await clock.advance(1000)
    await loading
    answer.reject(Object.assign(new Error('stopped'), { name: 'AbortError' }))
    await settled()
    expect(late(diagnostics)).toBeUndefined()
  })

  test('with the reason it was given up for is no other failure', async () => {
    const { skills, clock, codes } = engine({
      plugins: [
        listing(
          's',
          ({ signal }) =>
            new Promise((_, reject) => {
              signal.addEventListener('abort', () => reject(signal.reason))
            }),
          { limitMs: 50 },
        ),
      ],
    })
    const loading = skills.catalog()
    await clock.advance(50)
    await loading
    await settled()
    expect(codes()).toEqual(['provider-timeout'])
  })

  test('and one that answers too late is not heard', async () => {
    const answer = deferred<string>()
    const { outcome, skills, clock, diagnostics } = asking('greeter', { bad: () => ({ greet: () => answer.promise }) })
    const loading = skills.catalog()
    await clock.advance(1000)
    await loading
    answer.resolve('hello?')
    await settled()
    expect(outcome.answers).toEqual([])
    expect(diagnostics).toHaveLength(1)
  })
})

describe('a set-up that fails', () => {
  test('undoes its own effects, the last first, before the failure is visible', async () => {
    const log: string[] = []
    const bad = defineProvider({
      kind: 'greeter',
      id: 'bad',
      async setup(ctx) {
        for (const label of ['first', 'second']) {
          await ctx.effect(label, () => async () => {
            await settled()
            log.push(`undo ${label}`)
          })
        }
        throw new Error('no')
      },
    })
    const { skills } = engine({ plugins: [bad, watcher(log)] })
    await skills.catalog()
    expect(log).toEqual(['undo second', 'undo first', 'failure visible'])
  })

  test('leaves the effects of others in place', async () => {
    const log: string[] = []
    const steady = defineProvider({
      kind: 'source',
      id: 'a',
      async setup(ctx) {
        await ctx.effect('steady', () => () => void log.push('undone'))
        return { source: 'user', list: () => loadResult({}) }
      },
    })
    const bad = defineProvider({
      kind: 'source',
      id: 'b',
      async setup(ctx) {
        await ctx.effect('own', () => () => void log.push('own undone'))
        throw new Error('no')
      },
    })
    const { skills } = engine({ plugins: [steady, bad] })
    await skills.catalog()
    expect(log).toEqual(['own undone'])
  })

  test('aborts its signal and is tried again at the next use', async () => {
    const signals: AbortSignal[] = []
    const flaky = defineProvider({
      kind: 'source',
      id: 'flaky',
      setup(ctx) {
        signals.push(ctx.signal)
        if (signals.length === 1) throw new Error('not yet')
        return { source: 'user', list: () => loadResult({}) }
      },
    })
    const { skills } = engine({ plugins: [flaky] })
    expect((await skills.catalog()).errors).toHaveLength(1)
    expect(signals[0]?.aborted).toBe(true)
    expect((await skills.refresh()).errors).toEqual([])
    expect(signals).toHaveLength(2)
    expect(signals[1]?.aborted).toBe(false)
  })

  test('shares its failure with all who wait for it, and begins again for none of them', async () => {
    let setUps = 0
    const { outcome, skills } = asking('greeter', {
      bad: async () => {
        setUps++
        await settled()
        throw new Error('no')
      },
    })
    await Promise.all([skills.catalog(), skills.catalog()])
    expect(outcome.answers).toEqual([])
    expect(setUps).toBe(1)
  })

  test('takes its listeners away', async () => {
    const heard: string[] = []
    const bad = defineProvider({
      kind: 'source',
      id: 'bad',
      setup(ctx) {
        ctx.hook('sources:loaded', () => void heard.push('loaded'))
        throw new Error('no')
      },
    })
    const { skills } = engine({ plugins: [bad] })
    await skills.catalog()
    await settled()
    expect(heard).toEqual([])
  })
})

/** Makes a source that writes to `log` when its question to the greeters has ended. */
function watcher(log: string[]) {
  return defineProvider({
    kind: 'source',
    id: 'watcher',
    needs: ['greeter'],
    setup: ctx => ({
      source: 'user',
      async list() {
        await ctx.use('greeter').each(one => one.greet('you'))
        log.push('failure visible')
        return loadResult({})
      },
    }),
  })
}
