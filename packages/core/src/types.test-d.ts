/* oxlint-disable vitest/expect-expect -- what these assert, the compiler checks */
import { describe, expectTypeOf, test } from 'vitest'
import {
  createSkills,
  defineKind,
  defineProvider,
  loadResult,
  type AnyProvider,
  type Catalog,
  type CatalogChange,
  type Diagnostic,
  type Host,
  type Kind,
  type KindAccess,
  type LoadCounts,
  type Plugin,
  type Provider,
  type ProviderKinds as KnownKinds,
  type Skills,
} from './index.js'

interface Audience {
  applaud(loudness: number): boolean
}

// Adds a kind as another package does: under the name that this one is imported by.
declare module '@skills/core' {
  interface ProviderKinds {
    audience: Audience
  }
}

const onDiagnostic = (): void => {}
const list = () => loadResult({})
const applaud = (loudness: number): boolean => loudness > 3

describe('a provider', () => {
  test('of a source compiles', () => {
    defineProvider({ kind: 'source', id: 'a', setup: () => ({ source: 'user', list }) })
    const setup = async ({ host }: { readonly host: Host }) => ({ source: host.cwd, list: async () => loadResult({}) })
    defineProvider({ kind: 'source', id: 'a', order: 1, limitMs: 5, setup })
  })

  test('of a kind no one declared does not', () => {
    // @ts-expect-error no such kind
    defineProvider({ kind: 'sauce', id: 'a', setup: () => ({ source: 'user', list }) })
  })

  test('whose set-up gives a wrong shape does not', () => {
    // @ts-expect-error `list` gives no load result
    defineProvider({ kind: 'source', id: 'a', setup: () => ({ source: 'user', list: () => [] }) })
    // @ts-expect-error `list` is missing
    defineProvider({ kind: 'source', id: 'a', setup: () => ({ source: 'user' }) })
    // @ts-expect-error `source` is missing
    defineProvider({ kind: 'source', id: 'a', setup: () => ({ list }) })
    // @ts-expect-error the shape of another kind
    defineProvider({ kind: 'source', id: 'a', setup: () => ({ applaud }) })
    // @ts-expect-error nothing
    defineProvider({ kind: 'source', id: 'a', setup: () => {} })
    const refresh = (depth: number) => loadResult({ disabledPaths: [`${depth}`] })
    // @ts-expect-error `refresh` takes paths, not a number
    defineProvider({ kind: 'source', id: 'a', setup: () => ({ source: 'user', list, refresh }) })
  })

  test('without an id or a set-up does not', () => {
    // @ts-expect-error no id
    defineProvider({ kind: 'source', setup: () => ({ source: 'user', list }) })
    // @ts-expect-error no set-up
    defineProvider({ kind: 'source', id: 'a' })
  })

  test('is typed by its kind and needs', () => {
    const provider = defineProvider({
      kind: 'source',
      id: 'a',
      needs: ['audience'],
      setup: () => ({ source: 'user', list }),
    })
    expectTypeOf(provider).toEqualTypeOf<Provider<'source', 'audience'>>()
    expectTypeOf(provider).toExtend<AnyProvider>()
    expectTypeOf(provider).toExtend<Plugin>()
  })
})

describe('a literal', () => {
  test('of the right shape fits where plugins are listed', () => {
    const providers: AnyProvider[] = [{ kind: 'source', id: 'a', setup: () => ({ source: 'user', list }) }]
    const plugins: Plugin[] = [providers, { kind: 'audience', id: 'b', setup: () => ({ applaud }) }]
    createSkills({ onDiagnostic, plugins })
  })

  test('of a wrong shape does not', () => {
    // @ts-expect-error `list` gives no load result
    const providers: AnyProvider[] = [{ kind: 'source', id: 'a', setup: () => ({ source: 'user', list: () => 1 }) }]
    // @ts-expect-error `list` is missing
    const plugins: Plugin[] = [{ kind: 'source', id: 'a', setup: () => ({ source: 'user' }) }]
    const audience: AnyProvider = { kind: 'audience', id: 'b', setup: () => ({ applaud }) }
    // @ts-expect-error one of several in a plugin has the shape of another kind
    const nested: Plugin = [audience, { kind: 'source', id: 'a', setup: () => ({ applaud }) }]
    void [providers, plugins, nested]
  })

  test('of a wrong shape does not pass straight to the engine either', () => {
    // @ts-expect-error `list` is missing
    createSkills({ onDiagnostic, plugins: [{ kind: 'source', id: 'a', setup: () => ({ source: 'user' }) }] })
    // @ts-expect-error no such kind
    createSkills({ onDiagnostic, plugins: [{ kind: 'sauce', id: 'a', setup: () => ({ source: 'user', list }) }] })
    // @ts-expect-error the shape of another kind, inside a plugin of several providers
    createSkills({ onDiagnostic, plugins: [[{ kind: 'source', id: 'a', setup: () => ({ applaud }) }]] })
  })
})

describe('another kind', () => {
  test('can be used when it is needed, and gives what its providers are', () => {
    defineProvider({
      kind: 'source',
      id: 'a',
      needs: ['audience'],
      setup(ctx) {
        const audience = ctx.use('audience')
        expectTypeOf(audience).toEqualTypeOf<KindAccess<Audience>>()
        expectTypeOf(audience.first(one => one.applaud(1))).resolves.toEqualTypeOf<boolean | undefined>()
        return { source: 'user', list }
      },
    })
  })

  test('cannot be used when it is not', () => {
    defineProvider({
      kind: 'source',
      id: 'a',
      needs: ['audience'],
      setup(ctx) {
        // @ts-expect-error not in `needs`
        ctx.use('source')
        return { source: 'user', list }
      },
    })
    defineProvider({
      kind: 'source',
      id: 'a',
      setup(ctx) {
        // @ts-expect-error there are no `needs`
        ctx.use('audience')
        return { source: 'user', list }
      },
    })
    // @ts-expect-error a need that is no kind
    defineProvider({ kind: 'source', id: 'a', needs: ['sauce'], setup: () => ({ source: 'user', list }) })
  })

  test('is asked with what it is', () => {
    defineProvider({
      kind: 'source',
      id: 'a',
      needs: ['audience'],
      setup(ctx) {
        // @ts-expect-error an audience takes a number
        void ctx.use('audience').each(one => one.applaud('loudly'))
        // @ts-expect-error an audience does not boo
        void ctx.use('audience').each(one => one.boo())
        void ctx
          .use('audience')
          .each(one => one.applaud(1))
          .then(answers => {
            expectTypeOf(answers).toEqualTypeOf<readonly { readonly id: string; readonly value: boolean }[]>()
          })
        return { source: 'user', list }
      },
    })
  })
})

describe('a third-party kind', () => {
  test('is a kind like any other', () => {
    expectTypeOf<'audience'>().toExtend<Kind>()
    expectTypeOf<KnownKinds['audience']>().toEqualTypeOf<Audience>()
    defineProvider({ kind: 'audience', id: 'a', setup: () => ({ applaud }) })
    // @ts-expect-error the shape is checked
    defineProvider({ kind: 'audience', id: 'a', setup: () => ({ applaud: (text: string) => text === '' }) })
  })

  test('is defined as a value with what a failure means', () => {
    const kind = defineKind('audience', {
      arity: 'one',
      onFailure: { closed: error => error.code === 'E_TIMEOUT' },
      limitMs: 10,
    })
    createSkills({ onDiagnostic, plugins: [], kinds: [kind] })
    // @ts-expect-error no such kind
    defineKind('sauce', { arity: 'one', onFailure: 'throw', limitMs: 10 })
    // @ts-expect-error no such policy
    defineKind('audience', { arity: 'one', onFailure: 'ignore', limitMs: 10 })
    // @ts-expect-error no limit
    defineKind('audience', { arity: 'one', onFailure: 'throw' })
  })
})

test('events have names and payloads', () => {
  const listen = (skills: Skills): void => {
    skills.hook('sources:loading', ({ providers }) => expectTypeOf(providers).toEqualTypeOf<readonly string[]>())
    skills.hook('sources:loaded', event => expectTypeOf(event).toEqualTypeOf<LoadCounts>())
    skills.hook('skills:changed', event =>
      expectTypeOf(event).toEqualTypeOf<CatalogChange & { readonly reason: string; readonly catalog: Catalog }>(),
    )
    skills.hook('sources:error', async ({ diagnostic }) => expectTypeOf(diagnostic).toEqualTypeOf<Diagnostic>())
    // @ts-expect-error no such event
    skills.hook('sources:begun', () => {})
    // @ts-expect-error no such property
    skills.hook('sources:progress', ({ percent }) => percent)
    // @ts-expect-error a payload of another event
    skills.hook('sources:progress', (counts: LoadCounts) => counts.found)
  }
  expectTypeOf(listen).returns.toBeVoid()
})

test('an engine without onDiagnostic does not compile', () => {
  // @ts-expect-error problems would be lost
  createSkills({ plugins: [] })
  // @ts-expect-error no such override
  createSkills({ onDiagnostic, plugins: [], overrides: { a: 'hidden' } })
})
