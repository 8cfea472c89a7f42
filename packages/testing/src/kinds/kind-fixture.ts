import type { MaybePromise, SetupContext } from '@skills/core'
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

export interface KindContractOptions<L extends string> {
  /**
   * What cannot be checked here, each with the reason: a sentence. What the fixture lacks and this does not name fails.
   */
  readonly without?: Readonly<Partial<Record<L, string>>>
  /** Milliseconds after which a provider that does not answer has failed. Default 20,000. */
  readonly patienceMs?: number
}
