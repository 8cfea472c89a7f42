import { describe, expect, test } from 'vitest'
import { deferred, engine, kinds, settled, type Greeter } from '../test/engine.js'
import {
  createSkills,
  defineKind,
  defineProvider,
  loadResult,
  SkillsError,
  type ProviderAnswer,
  type Plugin,
  type Provider,
} from './index.js'

function greeter(id: string, more: Partial<Provider<'greeter'>> = {}): Provider<'greeter'> {
  return defineProvider({ kind: 'greeter', id, setup: () => ({ greet: name => `${id} greets ${name}` }), ...more })
}

/** Makes a source whose list asks the greeters, since only providers can ask other kinds. */
function asker(onAnswers: (answers: readonly ProviderAnswer<string>[]) => void) {
  return defineProvider({
    kind: 'source',
    id: 'asker',
    needs: ['greeter'],
    setup: ctx => ({
      source: 'user',
      async list() {
        onAnswers(await ctx.use('greeter').each(one => one.greet('you')))
        return loadResult({})
      },
    }),
  })
}

function codeOf(make: () => unknown): string | undefined {
  try {
    make()
  } catch (error) {
    return SkillsError.is(error) ? error.code : String(error)
  }
  return undefined
}

describe('registration', () => {
  const refusals: readonly [
    code: string,
    plugins: readonly Plugin[],
    moreKinds?: readonly ReturnType<typeof defineKind>[],
  ][] = [
    ['E_DUPLICATE_PROVIDER', [greeter('a'), greeter('a')]],
    [
      'E_TOO_MANY_PROVIDERS',
      ['x', 'y'].map(id => defineProvider({ kind: 'soloist', id, setup: () => ({ greet: () => '' }) })),
    ],
    ['E_MISSING_PROVIDER', [asker(() => {})]],
    ['E_DUPLICATE_KIND', [], [defineKind('source', { arity: 'many', onFailure: 'throw', limitMs: 1 })]],
  ]
  test.each(refusals)('refuses with %s', (code, plugins, moreKinds = []) => {
    expect(codeOf(() => engine({ plugins, kinds: [...kinds, ...moreKinds] }))).toBe(code)
  })

  test('refuses a kind that is not defined and names the known ones', () => {
    expect(() => engine({ plugins: [greeter('a')], kinds: [] })).toThrow(
      /"greeter", which no one defined. Known kinds: gate, renderer, source/,
    )
  })

  test('takes one definition of a kind given twice', () => {
    expect(codeOf(() => engine({ plugins: [], kinds: [...kinds, ...kinds] }))).toBeUndefined()
  })

  test('takes one id in two kinds, and one provider of a kind that takes one', () => {
    const soloist = defineProvider({ kind: 'soloist', id: 'a', setup: () => ({ greet: () => '' }) })
    expect(codeOf(() => engine({ plugins: [greeter('a'), soloist] }))).toBeUndefined()
  })

  test('takes a plugin that fills several kinds', async () => {
    let answers: readonly ProviderAnswer<string>[] = []
    const both: Plugin = [greeter('a'), asker(given => (answers = given))]
    await engine({ plugins: [both] }).skills.catalog()
    expect(answers).toEqual([{ id: 'a', value: 'a greets you' }])
  })

  test('names all that compete for a kind that takes one, in their order', () => {
    const plugins = ['c', 'a', 'b'].map(id =>
      defineProvider({ kind: 'soloist', id, setup: () => ({ greet: () => '' }) }),
    )
    expect(() => engine({ plugins })).toThrow('"a", "b", "c"')
  })
})

describe('order', () => {
  const providers = [
    greeter('late', { order: 1 }),
    greeter('b'),
    greeter('B'),
    greeter('a'),
    greeter('early', { order: -1 }),
  ]

  test.each([
    ['as given', providers],
    ['reversed', providers.toReversed()],
    ['rotated', [...providers.slice(2), ...providers.slice(0, 2)]],
  ])('is by order, then id by code unit, when registered %s', async (_, plugins) => {
    let answers: readonly ProviderAnswer<string>[] = []
    await engine({ plugins: [...plugins, asker(given => (answers = given))] }).skills.catalog()
    expect(answers.map(({ id }) => id)).toEqual(['early', 'B', 'a', 'b', 'late'])
  })

  test('of answers is that of the providers, a caller that answers first', async () => {
    const slow = deferred<string>()
    let answers: readonly ProviderAnswer<string>[] = []
    const plugins = [
      greeter('a', { setup: () => ({ greet: () => slow.promise }) }),
      greeter('b'),
      asker(given => (answers = given)),
    ]
    const loading = engine({ plugins }).skills.catalog()
    await settled()
    slow.resolve('at last')
    await loading
    expect(answers.map(({ value }) => value)).toEqual(['at last', 'b greets you'])
  })

  test('decides who is asked first', async () => {
    let first: string | undefined
    const curious = defineProvider({
      kind: 'source',
      id: 'one',
      needs: ['greeter'],
      setup: ctx => ({
        source: 'user',
        async list() {
          expect(ctx.use('greeter').ids).toEqual(['early', 'B', 'a', 'b', 'late'])
          first = await ctx.use('greeter').first(one => one.greet('you'))
          return loadResult({})
        },
      }),
    })
    await engine({ plugins: [...providers, curious] }).skills.catalog()
    expect(first).toBe('early greets you')
  })
})

describe('set-up', () => {
  test('happens when the kind is first used and not at creation', async () => {
    const setUps: string[] = []
    const counted = (id: string): Provider<'greeter'> =>
      greeter(id, {
        setup: () => {
          setUps.push(id)
          return { greet: () => id }
        },
      })
    const { skills } = engine({ plugins: [counted('a'), asker(() => {})] })
    await settled()
    expect(setUps).toEqual([])
    await skills.catalog()
    expect(setUps).toEqual(['a'])
  })

  test('of a kind that no one uses never happens', async () => {
    const unused = greeter('unused', {
      setup: () => {
        throw new Error('was set up')
      },
    })
    const { skills, diagnostics } = engine({ plugins: [unused] })
    await skills.catalog()
    await skills.close()
    expect(diagnostics).toEqual([])
  })

  test('happens once, however many ask at one time and later', async () => {
    let setUps = 0
    const gate = deferred()
    const slow = greeter('slow', {
      async setup() {
        setUps++
        await gate.promise
        return { greet: () => 'hello' }
      },
    })
    const askers = ['1', '2', '3'].map(id =>
      defineProvider({
        kind: 'source',
        id,
        needs: ['greeter'],
        setup: ctx => ({
          source: 'user',
          list: async () => loadResult({ places: [await placeOf(ctx.use('greeter').first(one => one.greet('')))] }),
        }),
      }),
    )
    const { skills } = engine({ plugins: [slow, ...askers] })
    const loading = skills.catalog()
    await settled()
    gate.resolve()
    expect((await loading).places.map(({ path }) => path)).toEqual(['hello', 'hello', 'hello'])
    skills.invalidate()
    await skills.catalog()
    expect(setUps).toBe(1)
  })

  test('of all providers of a kind runs at one time', async () => {
    const bothBegan = deferred()
    let began = 0
    const waiting = (id: string): Provider<'greeter'> =>
      greeter(id, {
        async setup() {
          if (++began === 2) bothBegan.resolve()
          await bothBegan.promise
          return { greet: () => id }
        },
      })
    let answers: readonly ProviderAnswer<string>[] = []
    await engine({ plugins: [waiting('a'), waiting('b'), asker(given => (answers = given))] }).skills.catalog()
    expect(answers).toHaveLength(2)
  })

  test('sees the host it was given and nothing of the process', async () => {
    const { skills } = engine({
      plugins: [
        defineProvider({
          kind: 'source',
          id: 'a',
          setup: ({ host }) => ({
            source: 'user',
            list: () => loadResult({ places: [{ path: `${host.cwd} ${host.home}`, state: 'read', found: 0 }] }),
          }),
        }),
      ],
    })
    expect((await skills.catalog()).places[0]?.path).toBe('/home/user/project /home/user')
  })

  test('reports under its provider’s id', async () => {
    const { skills, diagnostics } = engine({
      plugins: [
        defineProvider({
          kind: 'source',
          id: 'a',
          setup(ctx) {
            ctx.report({ severity: 'info', type: 'source', code: 'noted', message: 'Something.' })
            return { source: 'user', list: () => loadResult({}) }
          },
        }),
      ],
    })
    await skills.catalog()
    expect(diagnostics).toEqual([
      { severity: 'info', type: 'source', code: 'noted', message: 'Something.', provider: 'a' },
    ])
  })
})

describe('needs', () => {
  test('are the only kinds a provider can use', async () => {
    let thrown: unknown
    const sneaky = defineProvider({
      kind: 'source',
      id: 'sneaky',
      needs: ['greeter'],
      setup(ctx) {
        try {
          // @ts-expect-error the kind is not in `needs`; a caller without a type checker gets the error
          ctx.use('judge')
        } catch (error) {
          thrown = error
        }
        return { source: 'user', list: () => loadResult({}) }
      },
    })
    await engine({ plugins: [sneaky, greeter('a')] }).skills.catalog()
    expect(SkillsError.is(thrown) && thrown.code).toBe('E_UNDECLARED_NEED')
  })

  test('that fail keep the code of their error for a kind that throws', async () => {
    const worker = defineProvider({
      kind: 'worker',
      id: 'w',
      needs: ['greeter'],
      setup: ctx => ({
        greet: async () => {
          // @ts-expect-error the kind is not in `needs`
          await ctx.use('judge').first((judge: Greeter) => judge.greet(''))
          return ''
        },
      }),
    })
    let code: string | undefined
    const user = defineProvider({
      kind: 'source',
      id: 'user',
      needs: ['worker'],
      setup: ctx => ({
        source: 'user',
        async list() {
          await ctx
            .use('worker')
            .first(one => one.greet(''))
            .catch((error: unknown) => {
              code = SkillsError.is(error) ? error.code : undefined
            })
          return loadResult({})
        },
      }),
    })
    await engine({ plugins: [greeter('a'), worker, user] }).skills.catalog()
    expect(code).toBe('E_UNDECLARED_NEED')
  })

  test('may lead back to a provider’s own kind, which ends at the time limit and costs only that provider', async () => {
    const selfish = defineProvider({
      kind: 'source',
      id: 'selfish',
      needs: ['source'],
      async setup(ctx) {
        await ctx.use('source').each(() => undefined)
        return { source: 'user', list: () => loadResult({}) }
      },
    })
    const { skills, clock, codes } = engine({ plugins: [selfish] })
    const loading = skills.catalog()
    await clock.advance(10_000)
    await loading
    expect(codes()).toContain('provider-timeout')
  })
})

test('an option that cannot be meant is refused at creation', () => {
  const onDiagnostic = (): void => {}
  // @ts-expect-error for callers without a type checker
  expect(codeOf(() => createSkills({ plugins: [] }))).toBe('E_INVALID_OPTION')
  // @ts-expect-error the same
  expect(codeOf(() => createSkills({ plugins: [], onDiagnostic, overrides: { a: 'hidden' } }))).toBe('E_INVALID_OPTION')
  expect(codeOf(() => createSkills({ plugins: [], onDiagnostic, precedence: ['user', 'user'] }))).toBe(
    'E_INVALID_OPTION',
  )
})

async function placeOf(path: Promise<string | undefined>) {
  return { path: (await path) ?? '', state: 'read', found: 0 } as const
}
