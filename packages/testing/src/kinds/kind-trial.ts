import {
  createSkills,
  messageOf,
  type Diagnostic,
  type Kind,
  type KindDefinition,
  type MaybePromise,
  type Plugin,
  type SetupContext,
  type Skills,
} from '@skills/core'
import { Check } from '../contract/check.js'
import { fakeHost } from '../fake-host.js'
import type { Surroundings } from '../contract/fixture.js'

/** Provider of any kind, such as `Provider<'executor'>`, including one that uses other kinds. */
export interface KindProvider<V> {
  readonly kind: string
  readonly id: string
  readonly order?: number
  readonly limitMs?: number
  readonly needs?: readonly string[]
  readonly wants?: readonly string[]
  setup(ctx: SetupContext): MaybePromise<V>
}

/** Provider under test, with everything that its set-up needs. */
export interface KindFixture<V> extends Surroundings {
  readonly provider: KindProvider<V>
}

/** Provider of another kind that the suite gives to the provider under test. */
export interface Stub {
  readonly kind: string
  readonly id: string
  readonly value: object
}

export interface Started<V> {
  /** Result of the set-up. */
  readonly value: V
  readonly skills: Skills
  readonly told: readonly Diagnostic[]
}

/** One check of one rule about providers of a kind. */
export class KindTrial<V extends object, M> extends Check<M> {
  /** Sets the provider up in a new engine. */
  async start(
    { provider, host, plugins = [], kinds = [] }: KindFixture<V>,
    stubs: readonly Stub[] = [],
  ): Promise<Started<V>> {
    let value: V | undefined
    const own = pluginOf(provider, async setUp => (value = await provider.setup(setUp)))
    const given = new Set(plugins.flat().map(({ kind }) => String(kind)))
    const needed = stubs.filter(({ kind }) => !given.has(kind))
    const told: Diagnostic[] = []
    const skills = await this.unchecked('there can be no engine with this fixture', async () =>
      createSkills({
        plugins: [own, ...plugins, ...needed.map(stub => pluginOf(stub, () => stub.value))],
        kinds: [...kinds, ...definitions([provider.kind, ...needed.map(({ kind }) => kind), ...given], kinds)],
        host: fakeHost(host),
        onDiagnostic: diagnostic => told.push(diagnostic),
      }),
    )
    this.atEnd(() => skills.close())
    const [setUp] = await Promise.allSettled([
      this.within(
        'setup()',
        skills.use(kindNamed(provider.kind)).each(() => undefined, { only: [provider.id] }),
      ),
    ])
    const problem =
      setUp.status === 'rejected' ? messageOf(setUp.reason) : (told[0]?.message ?? 'setup() was not called.')
    return value === undefined ? this.broken(`the provider was not set up: ${problem}`) : { value, skills, told }
  }
}

const own = new Set(['source', 'gate', 'renderer'])

/** Returns definitions for the kinds. Every failure is thrown, regardless of the failure policy of the real kind. */
function definitions(kinds: readonly string[], given: readonly KindDefinition[]): readonly KindDefinition[] {
  const known = new Set([...own, ...given.map(({ kind }) => String(kind))])
  return [...new Set(kinds)]
    .filter(kind => !known.has(kind))
    .map(kind => ({ kind: kindNamed(kind), arity: 'many', limitMs: Infinity, onFailure: 'throw' }))
}

/** Casts a name to a kind. The packages that define these kinds depend on this one, so it cannot import their names. */
function kindNamed(kind: string): Kind {
  return kind as Kind
}

function pluginOf(provider: Omit<Stub, 'value'>, setup: (ctx: never) => unknown): Plugin {
  return { ...provider, setup } as unknown as Plugin
}
