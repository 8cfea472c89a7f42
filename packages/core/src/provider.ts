import type { Diagnostic } from './diagnostic.js'
import type { Effect } from './scope.js'
import type { EngineHooks, HookListener } from './hook-bus.js'
import type { OwnField } from './fields/field.js'
import type { Host } from './host.js'
import type { Gate } from './gate.js'
import type { MaybePromise } from './promise.js'
import type { Renderer } from './renderer.js'
import type { Source } from './source.js'
import type { Words } from './command.js'

/**
 * The kinds of provider, each with what a provider's set-up gives. Add one by declaration merging,
 * and give its {@link KindDefinition} to `createSkills({ kinds })`:
 *
 *     declare module '@skills/core' { interface ProviderKinds { audience: Audience } }
 */
export interface ProviderKinds {
  source: Source
  gate: Gate
  renderer: Renderer
}

export type Kind = keyof ProviderKinds & string

/**
 * What kinds add to an engine. Add a method by declaration merging, and give it as {@link KindRules.methods} of your
 * kind:
 *
 *     declare module '@skills/core' { interface KindMethods { heard(): Promise<readonly string[]> } }
 */
export interface KindMethods {}

export interface ProviderAnswer<T> {
  /** Id of the provider that answered. */
  readonly id: string
  readonly value: T
}

export interface AskCall {
  readonly id: string
  readonly signal: AbortSignal
  /** Says that it gets on: its time limit begins anew. The engine gives it. */
  readonly progress?: (() => void) | undefined
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined
  /** Ids of those to ask. Default: all. */
  readonly only?: readonly string[] | undefined
}

/** The providers of one kind, asked under that kind's failure policy. */
export interface KindAccess<T> {
  /** Ids in order. */
  readonly ids: readonly string[]
  /**
   * Asks every provider at once; answers come in provider order. A failing provider of an isolated kind is left out.
   */
  each<R>(
    ask: (provider: T, call: AskCall) => MaybePromise<R>,
    options?: AskOptions,
  ): Promise<readonly ProviderAnswer<R>[]>
  /** Asks the first provider in order. Undefined when there is none, or when it failed and its kind is isolated. */
  first<R>(ask: (provider: T, call: AskCall) => MaybePromise<R>, options?: AskOptions): Promise<R | undefined>
}

/** What a provider's set-up is given. See docs/reference/engine.md, "Set-up". */
export interface SetupContext<N extends Kind = never> {
  /** Aborts at close, or when this set-up fails. */
  readonly signal: AbortSignal
  readonly host: Host
  /** Further words for `context` and `shell`, and further fields; the engine sets it. */
  readonly words?: Words | undefined
  report(diagnostic: Omit<Diagnostic, 'provider'>): void
  /** Listens to an engine event until close. Returns what stops it sooner. */
  hook<E extends keyof EngineHooks>(event: E, listener: HookListener<E>): () => void
  /**
   * Says that what this source gave is out of date: all of it, or what lies at or under `paths`; or that a gate's rules
   * are.
   * @param reason for `skills:changed`, such as `activation`
   */
  invalidate(paths?: readonly string[], reason?: string): void
  /**
   * Runs `acquire` and keeps the undo it returns; undone last-in-first-out at close, or when the set-up fails.
   * @param label names the effect in the diagnostic of a failing undo
   */
  effect(label: string, acquire: () => MaybePromise<Effect>): Promise<void>
  /** The only road to another kind; it must be in `needs` or `wants` (else `E_UNDECLARED_NEED`). */
  use<K extends N>(kind: K): KindAccess<ProviderKinds[K]>
}

/** The one way anything registers. */
export interface Provider<K extends Kind = Kind, N extends Kind = never> {
  readonly kind: K
  /** Unique within its kind. */
  readonly id: string
  /** Lower first, 0 by default; ties by id, by code unit. Registration order never counts. */
  readonly order?: number
  /**
   * Version of its kind's interface that it was written for; 1 by default. A number in its own source, since the engine
   * that is installed may be another than it was tried with. One that the engine cannot ask fails with
   * `E_CONTRACT_VERSION`, under its kind's rules for failures.
   */
  readonly contract?: number
  /** Milliseconds; instead of the kind's limit. */
  readonly limitMs?: number
  /** Other kinds it asks: without a provider of each the engine is not made. */
  readonly needs?: readonly N[]
  /** Kinds that it asks where there are any. */
  readonly wants?: readonly N[]
  /** Fields that skills may set where it is registered: see `defineField`. */
  readonly fields?: readonly OwnField[]
  /** Called once, when the kind is first used. */
  setup(ctx: SetupContext<N>): MaybePromise<ProviderKinds[K]>
}

/** A provider of any one kind: `kind` and what `setup` gives stay tied together. */
export type AnyProvider = { [K in Kind]: Provider<K, Kind> | Provider<K> }[Kind]

/** A plugin may fill several kinds. */
export type Plugin = AnyProvider | readonly AnyProvider[]

/**
 * Types a provider: infers kind and needs, and a wrong shape fails to compile at the property that is wrong.
 *
 *     defineProvider({ kind: 'source', id: 'notes', setup: ({ host }) => ({ source: 'user', list: () => loadResult({}) }) })
 */
export function defineProvider<K extends Kind, const N extends Kind = never>(provider: Provider<K, N>): Provider<K, N> {
  return provider
}
