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

/** A provider of any kind: `Provider<'executor'>` and the like, also of one that asks other kinds. */
export interface KindProvider<V> {
  readonly kind: string
  readonly id: string
  readonly order?: number
  readonly limitMs?: number
  readonly needs?: readonly string[]
  readonly wants?: readonly string[]
  setup(ctx: SetupContext): MaybePromise<V>
}

/** A provider under test, with what it takes to set it up. */
export interface KindFixture<V> extends Surroundings {
  readonly provider: KindProvider<V>
}

/** What a provider under test is given to ask: the suite's own provider of another kind. */
export interface Stub {
  readonly kind: string
  readonly id: string
  readonly value: object
}

export interface Started<V> {
  /** What the set-up gave. */
  readonly value: V
  readonly skills: Skills
  readonly told: readonly Diagnostic[]
}

/** One check of one rule about providers of a kind. */
export class KindTrial<V extends object, M> extends Check<M> {
  /** Sets the provider up in an engine of its own. */
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

/** Every failure is thrown here, whichever policy the kind itself has. */
function definitions(kinds: readonly string[], given: readonly KindDefinition[]): readonly KindDefinition[] {
  const known = new Set([...own, ...given.map(({ kind }) => String(kind))])
  return [...new Set(kinds)]
    .filter(kind => !known.has(kind))
    .map(kind => ({ kind: kindNamed(kind), arity: 'many', limitMs: Infinity, onFailure: 'throw' }))
}

/** The packages that define these kinds test with this one, so that it cannot name them. */
function kindNamed(kind: string): Kind {
  return kind as Kind
}

function pluginOf(provider: Omit<Stub, 'value'>, setup: (ctx: never) => unknown): Plugin {
  return { ...provider, setup } as unknown as Plugin
}
