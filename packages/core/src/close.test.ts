import { describe, expect, test } from 'vitest'
import { deferred, engine, listing, settled } from '../test/engine.js'
import { defineProvider, isAbortError, loadResult, SkillsError, type Effect, type SetupContext } from './index.js'

type Setup = (ctx: SetupContext<'greeter'>, effect: (label: string) => Promise<void>) => Promise<void>

/** Makes sources whose effects write to one log when they are undone. */
function withEffects(setups: Readonly<Record<string, Setup>>) {
  const log: string[] = []
  const plugins = Object.entries(setups).map(([id, setup]) =>
    defineProvider({
      kind: 'source',
      id,
      needs: ['greeter'],
      async setup(ctx) {
        await setup(ctx, label => ctx.effect(label, () => () => void log.push(label)))
        return { source: 'user', list: () => loadResult({}) }
      },
    }),
  )
  const greeter = defineProvider({
    kind: 'greeter',
    id: 'g',
    async setup(ctx) {
      await ctx.effect('greeter', () => () => void log.push('greeter'))
      return { greet: () => '' }
    },
  })
  return { log, ...engine({ plugins: [...plugins, greeter] }) }
}

describe('closing', () => {
  test('undoes every effect in the exact reverse of the order they came in, across providers', async () => {
    const { log, skills } = withEffects({
      async a(ctx, effect) {
        await effect('a1')
        // A needed provider is set up in between, so it is undone in between.
        await ctx.use('greeter').first(() => undefined)
        await effect('a2')
      },
      async b(_, effect) {
        await settled()
        await effect('b1')
        await effect('b2')
      },
    })
    await skills.catalog()
    await skills.close()
    expect(log).toEqual(['b2', 'b1', 'a2', 'greeter', 'a1'])
  })

  test('waits for each undo before the next', async () => {
    const log: string[] = []
    const slow =
      (label: string): Effect =>
      async () => {
        log.push(`${label} begins`)
        await settled()
        log.push(`${label} ends`)
      }
    const plugin = defineProvider({
      kind: 'source',
      id: 'a',
      async setup(ctx) {
        await ctx.effect('one', () => slow('one'))
        await ctx.effect('two', () => slow('two'))
        return { source: 'user', list: () => loadResult({}) }
      },
    })
    const { skills } = engine({ plugins: [plugin] })
    await skills.catalog()
    await skills.close()
    expect(log).toEqual(['two begins', 'two ends', 'one begins', 'one ends'])
  })

  test('is done once, however often and by whom it is asked', async () => {
    const { log, skills } = withEffects({ a: (_, effect) => effect('a') })
    await skills.catalog()
    await Promise.all([skills.close(), skills.close(), skills[Symbol.asyncDispose]()])
    await skills.close()
    expect(log).toEqual(['a'])
  })

  test('an engine that never did anything does nothing', async () => {
    const { log, skills } = withEffects({ a: (_, effect) => effect('a') })
    await skills.close()
    expect(log).toEqual([])
  })

  test('makes every later use an error', async () => {
    const { skills } = withEffects({})
    await skills.catalog()
    await skills.close()
    for (const use of [() => skills.catalog(), () => skills.refresh(), () => skills.explain('x')]) {
      await expect(use()).rejects.toSatisfy(error => SkillsError.is(error) && error.code === 'E_CLOSED')
    }
  })

  test('aborts set-ups and undoes what they had done', async () => {
    const reached = deferred()
    let signal: AbortSignal | undefined
    const { log, skills, clock, codes } = withEffects({
      async a(_, effect) {
        await effect('a1')
      },
      async b(ctx, effect) {
        ;({ signal } = ctx)
        await effect('b1')
        reached.resolve()
        await new Promise(() => {})
      },
    })
    const loading = expect(skills.catalog()).rejects.toSatisfy(isAbortError)
    await reached.promise
    await skills.close()
    await loading
    expect(signal?.aborted).toBe(true)
    expect(log).toEqual(['b1', 'a1'])
    expect(codes()).toEqual([])
    await settled()
    expect(clock.pending).toBe(0)
  })

  test('aborts what sources are doing', async () => {
    const asked = deferred<AbortSignal>()
    const hung = listing('hung', call => {
      asked.resolve(call.signal)
      return new Promise(() => {})
    })
    const { skills, clock } = engine({ plugins: [hung] })
    const loading = expect(skills.catalog()).rejects.toMatchObject({ name: 'AbortError', cause: { code: 'E_CLOSED' } })
    const signal = await asked.promise
    await skills.close()
    await loading
    expect(signal.aborted).toBe(true)
    expect(clock.pending).toBe(0)
  })

  test('aborts what providers ask each other without a signal', async () => {
    let ended: unknown
    const judge = defineProvider({
      kind: 'judge',
      id: 'j',
      setup: () => ({ greet: () => new Promise<string>(() => {}) }),
    })
    const asker = defineProvider({
      kind: 'source',
      id: 'asker',
      needs: ['judge'],
      setup(ctx) {
        ctx
          .use('judge')
          .first(one => one.greet('you'))
          .catch((error: unknown) => (ended = error))
        return { source: 'user', list: () => loadResult({}) }
      },
    })
    const { skills, clock } = engine({ plugins: [judge, asker] })
    await skills.catalog()
    await skills.close()
    await settled()
    expect(ended).toSatisfy(isAbortError)
    expect(clock.pending).toBe(0)
  })

  test('is not held up by an undo that hangs, and names it', async () => {
    const { log, skills, clock, diagnostics } = withEffects({
      async a(ctx, effect) {
        await effect('below')
        await ctx.effect('stuck', () => () => new Promise(() => {}))
      },
    })
    await skills.catalog()
    const closing = skills.close()
    await clock.advance(10_000)
    await closing
    expect(log).toEqual(['below'])
    const message = expect.stringMatching(/"stuck".*longer than 10000 ms/)
    expect(diagnostics).toMatchObject([{ code: 'undo-failed', provider: 'a', message }])
    expect(clock.pending).toBe(0)
  })

  test('is not held up by an undo that throws, and names it', async () => {
    const { log, skills, diagnostics } = withEffects({
      async a(ctx, effect) {
        await effect('below')
        await ctx.effect('broken', () => () => {
          throw new Error('cannot')
        })
      },
    })
    await skills.catalog()
    await skills.close()
    expect(log).toEqual(['below'])
    expect(diagnostics).toMatchObject([{ code: 'undo-failed', message: expect.stringMatching(/"broken".*cannot/) }])
  })

  test('stops the listeners of providers', async () => {
    let heard = 0
    const { skills } = withEffects({
      a: async ctx => {
        ctx.hook('sources:loading', () => void heard++)
      },
    })
    await skills.catalog()
    skills.invalidate()
    await skills.catalog()
    expect(heard).toBe(1)
  })
})

describe('an effect', () => {
  test('that was acquired only after the abort is undone at once, and its set-up goes no further', async () => {
    const acquiring = deferred<Effect>()
    const log: string[] = []
    const slow = defineProvider({
      kind: 'source',
      id: 'slow',
      limitMs: 100,
      async setup(ctx) {
        await ctx.effect('late', () => acquiring.promise)
        log.push('went on')
        return { source: 'user', list: () => loadResult({}) }
      },
    })
    const { skills, clock, codes } = engine({ plugins: [slow] })
    const loading = skills.catalog()
    await clock.advance(100)
    await loading
    acquiring.resolve(() => void log.push('undone'))
    await settled()
    expect(log).toEqual(['undone'])
    await skills.close()
    expect(log).toEqual(['undone'])
    expect(codes()).toEqual(['provider-timeout'])
  })

  test('is not acquired after the abort, and a listener does not stay', async () => {
    const released = deferred()
    const log: string[] = []
    const slow = defineProvider({
      kind: 'source',
      id: 'slow',
      limitMs: 100,
      async setup(ctx) {
        await released.promise
        ctx.hook('sources:loading', () => void log.push('heard'))
        await ctx.effect('late', () => {
          log.push('acquired')
          return () => {}
        })
        return { source: 'user', list: () => loadResult({}) }
      },
    })
    const { skills, clock } = engine({ plugins: [slow] })
    const loading = skills.catalog()
    await clock.advance(100)
    await loading
    released.resolve()
    await settled()
    skills.hook('sources:loading', () => void log.push('control'))
    skills.invalidate()
    const again = skills.catalog()
    await clock.advance(100)
    await again
    expect(log).toEqual(['control', 'acquired'])
  })

  test('that cannot be acquired fails the set-up', async () => {
    const { skills, diagnostics } = withEffects({
      a: ctx =>
        ctx.effect('port', () => {
          throw new Error('in use')
        }),
    })
    await skills.catalog()
    expect(diagnostics).toMatchObject([{ code: 'provider-failed', message: expect.stringContaining('in use') }])
  })

  test('that is undone sooner is not undone again', async () => {
    let heard = 0
    const { skills } = withEffects({
      async a(ctx) {
        const stop = ctx.hook('sources:loaded', () => void heard++)
        stop()
        stop()
      },
    })
    await skills.catalog()
    await skills.close()
    expect(heard).toBe(0)
  })
})
