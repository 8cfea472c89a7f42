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
 * Kinds of provider, each with what the set-up of a provider returns. Add one by declaration merging, and give its
 * {@link KindDefinition} to `createSkills({ kinds })`:
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
 * Methods that kinds add to an engine. Add one by declaration merging, and return it from {@link KindRules.methods} of
 * your kind:
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
  /** Reports progress, which restarts the time limit. The engine passes it. */
  readonly progress?: (() => void) | undefined
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined
  /** Ids of providers to ask. Default: all. */
  readonly only?: readonly string[] | undefined
}

/** Providers of one kind, asked under that kind's failure policy. */
export interface KindAccess<T> {
  /** Ids in order. */
  readonly ids: readonly string[]
  /**
   * Asks every provider at once, and returns answers in provider order. A failing provider of an isolated kind is left
   * out.
   */
  each<R>(
    ask: (provider: T, call: AskCall) => MaybePromise<R>,
    options?: AskOptions,
  ): Promise<readonly ProviderAnswer<R>[]>
  /** Asks the first provider in order. Returns undefined if there is none, or if it failed and its kind is isolated. */
  first<R>(ask: (provider: T, call: AskCall) => MaybePromise<R>, options?: AskOptions): Promise<R | undefined>
}

/** Context of a provider's set-up. See docs/reference/engine.md, "Set-up". */
export interface SetupContext<N extends Kind = never> {
  /** Signal that aborts at close, or when this set-up fails. */
  readonly signal: AbortSignal
  readonly host: Host
  /** Further values of `context` and `shell`, and further fields. The engine passes it. */
  readonly words?: Words | undefined
  report(diagnostic: Omit<Diagnostic, 'provider'>): void
  /** Listens to an engine event until close. Returns a function that stops it sooner. */
  hook<E extends keyof EngineHooks>(event: E, listener: HookListener<E>): () => void
  /**
   * Reports that results of this source are out of date: all of them, or what is at or under `paths`; for a gate, its
   * rules.
   * @param reason reason in `skills:changed`, such as `activation`
   */
  invalidate(paths?: readonly string[], reason?: string): void
  /**
   * Runs `acquire` and keeps the undo function that it returns. Undone last-in-first-out at close, or when the set-up
   * fails.
   * @param label name of the effect in the diagnostic of a failing undo
   */
  effect(label: string, acquire: () => MaybePromise<Effect>): Promise<void>
  /** Accesses another kind, which must be in `needs` or `wants` (else `E_UNDECLARED_NEED`). */
  use<K extends N>(kind: K): KindAccess<ProviderKinds[K]>
}

/** Provider of a kind. Everything registers as one. */
export interface Provider<K extends Kind = Kind, N extends Kind = never> {
  readonly kind: K
  /** Id, unique within its kind. */
  readonly id: string
  /**
   * Position among providers of its kind: lower first, 0 by default; ties by id, by code unit. Registration order never
   * counts.
   */
  readonly order?: number
  /**
   * Version of its kind's interface that it was written for; 1 by default. Write it as a number, since another version
   * of the engine may be installed than it was tried with. A version that the engine does not support fails with
   * `E_CONTRACT_VERSION`, under its kind's failure policy.
   */
  readonly contract?: number
  /** Milliseconds, instead of the kind's limit. */
  readonly limitMs?: number
  /** Kinds that it asks. Without a provider of each, the engine is not made. */
  readonly needs?: readonly N[]
  /** Kinds that it asks if they have a provider. */
  readonly wants?: readonly N[]
  /** Fields that skills may set if it is registered: see `defineField`. */
  readonly fields?: readonly OwnField[]
  /** Sets the provider up. Called once, when the kind is first used. */
  setup(ctx: SetupContext<N>): MaybePromise<ProviderKinds[K]>
}

/** Provider of any one kind: `kind` and the result of `setup` stay tied together. */
export type AnyProvider = { [K in Kind]: Provider<K, Kind> | Provider<K> }[Kind]

/** One provider or several, of any kinds. */
export type Plugin = AnyProvider | readonly AnyProvider[]

/**
 * Types a provider: infers kind and needs, and a wrong shape fails to compile at the wrong property.
 *
 *     defineProvider({ kind: 'source', id: 'notes', setup: ({ host }) => ({ source: 'user', list: () => loadResult({}) }) })
 */
export function defineProvider<K extends Kind, const N extends Kind = never>(provider: Provider<K, N>): Provider<K, N> {
  return provider
}
