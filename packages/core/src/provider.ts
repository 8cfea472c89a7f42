import { messageOf, abortError } from './error.js'
import type { Diagnostic } from './diagnostic.js'
import type { EngineHooks, HookListener } from './hook-bus.js'
import type { OwnField } from './fields/field.js'
import type { Host } from './host.js'
import type { MaybePromise } from './promise.js'
import type { Renderer } from './renderer.js'
import type { Source } from './source.js'
import type { Words, CatalogEntry, Command, Override, SourceName } from './command.js'
import type { Catalog, Incomplete } from './catalog.js'
import type { Explanation } from './explanation.js'
import type { SkillsError } from './error.js'

/**
 * Kinds of provider, each with the type that the set-up of its providers returns. Add a kind by declaration merging,
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
 * Methods that kinds add to an engine. Add a method by declaration merging, and return the method from
 * {@link KindRules.methods} of your kind:
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

export interface CatalogOptions extends AskOptions {
  readonly names?: readonly string[] | undefined
}

/** Entries of commands that large sources have. */
export interface LargeAnswers {
  /** Entries of each source, the best first. They are not kept: ask for one by its name to use it. */
  readonly answers: readonly ProviderAnswer<readonly CatalogEntry[]>[]
  /** Sources that could not be asked, with the reason. */
  readonly incomplete: readonly Incomplete[]
}

export interface LargeSearchOptions extends Pick<AskOptions, 'signal'> {
  /** Most entries of each source. */
  readonly limit: number
  /** Beginning of the names that are searched. Default: all names. */
  readonly prefix?: string | undefined
}

export interface LargePageOptions extends Pick<AskOptions, 'signal'> {
  /** Most entries of the page. */
  readonly limit: number
  /** `next` of the page before; another text throws `E_INVALID_OPTION`. Default: from the first entry. */
  readonly after?: string | undefined
}

/** Entries of a page. There may be fewer than `limit`, or none, although another page follows. */
export interface LargePage extends Pick<LargeAnswers, 'incomplete'> {
  readonly entries: readonly CatalogEntry[]
  /** Undefined at the end. */
  readonly next: string | undefined
}

/**
 * Commands of all large sources together, listed or not. They have passed the gates, overrides and names of the catalog;
 * a command that the catalog would not have is left out. Sources that a gate bars are not asked. A source that fails is
 * reported and left out.
 */
export interface LargeCommands {
  /** Returns the entries that fit a query best. */
  search(query: string, options: LargeSearchOptions): Promise<LargeAnswers>
  /** Returns a page of all entries, one source after the other. */
  page(options: LargePageOptions): Promise<LargePage>
  /** Returns the number of commands of each source that can count them. */
  count(options?: Pick<AskOptions, 'signal'>): Promise<readonly ProviderAnswer<number>[]>
}

/** Access to the providers of one kind. Every call follows the failure policy of the kind. */
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

/** Provider of a kind. Every part of an engine is registered as a provider. */
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
  /** False if it has no `explain`: explaining a name then does not set it up. */
  readonly explains?: false
  /** Sets the provider up. Called once, when the kind is first used. */
  setup(ctx: SetupContext<N>): MaybePromise<ProviderKinds[K]>
}

/** Provider of any one kind: `kind` and the result of `setup` stay tied together. */
export type AnyProvider = { [K in Kind]: Provider<K, Kind> | Provider<K> }[Kind]

/** One provider or several, of any kinds. */
export type Plugin = AnyProvider | readonly AnyProvider[]

/**
 * Returns a provider with its type inferred: its kind and the kinds that it needs. A wrong shape fails to compile at
 * the wrong property.
 *
 *     defineProvider({ kind: 'source', id: 'notes', setup: ({ host }) => ({ source: 'user', list: () => loadResult({}) }) })
 */
export function defineProvider<K extends Kind, const N extends Kind = never>(provider: Provider<K, N>): Provider<K, N> {
  return provider
}

/**
 * Rules of a gate for one load. Each method returns a sentence with the reason to keep something out, or undefined to
 * let it pass.
 */
export interface GateRules {
  /**
   * Bars a whole source before it is asked.
   * @param source word that its commands have as `source`
   * @param provider id of the source
   */
  source?(source: SourceName, provider: string): string | undefined
  /**
   * Bars a command before names are assigned. A barred command is disabled and shadows nothing. Called in order of
   * precedence, once a load.
   */
  command?(command: Command): string | undefined
  /** Keeps a command from models until later: they are not told of it and cannot invoke it. A user still can. */
  dormant?(command: Command): string | undefined
  /** Returns the override of a command that the host's overrides do not name. If it throws, the load fails. */
  override?(name: string, command: Command): Override | undefined
}

/**
 * Keeps sources and commands out of the catalog, for example by an administrator's policy. See docs/reference/kinds.md,
 * "Gates".
 */
export interface Gate {
  /** Returns its rules; called at the beginning of each load. The same object as before means that nothing changed. */
  rules?(call: { readonly signal: AbortSignal }): MaybePromise<GateRules>
  /**
   * Returns why an action is forbidden for a command that is invoked, such as running commands in its body (`shell`).
   */
  forbids?(action: 'shell', command: Command, call: { readonly signal: AbortSignal }): MaybePromise<string | undefined>
}

/** Returns the first reason that one of the rules gives. */
export function barredBy(rules: readonly GateRules[], ask: (one: GateRules) => string | undefined): string | undefined {
  for (const one of rules) {
    const reason: unknown = ask(one)
    // An answer that is not a sentence bars too: a gate without a reason fails closed.
    if (reason !== undefined) return typeof reason === 'string' ? reason : 'A gate bars the command without a reason.'
  }
  return undefined
}

/** Returns the reason why models may not use a command. A gate that fails is such a reason. */
export function whyDormant(command: Command, rules: readonly GateRules[]): string | undefined {
  try {
    return barredBy(rules, one => one.dormant?.(command))
  } catch (error) {
    return `A gate failed, so the command is kept from models: ${messageOf(error)}`
  }
}

/**
 * Running engine with the methods that its kinds add. Close it when done. See docs/reference/engine.md, "The engine".
 */
export type Skills = Engine & KindMethods

/** Methods of every engine. */
export interface Engine {
  readonly host: Host
  /** Further values of `context` and `shell`, and further fields. */
  readonly words: Words
  /** Signal that aborts at close. */
  readonly signal: AbortSignal
  /**
   * Returns all listed commands. They are loaded once and kept until something is out of date.
   * @param options.names names that someone asks for. Large sources are asked for those that no command has, and what
   * they find is in the catalog from then on. A source that cannot be asked is `incomplete` in it. Default: none
   */
  catalog(options?: CatalogOptions): Promise<Catalog>
  /** Returns the commands of large sources, listed or not; undefined if no source is large. */
  large(options?: Pick<AskOptions, 'signal'>): Promise<LargeCommands | undefined>
  /**
   * Forgets what was loaded, all of it or what is at or under `paths` (absolute). The next `catalog()` loads it again.
   */
  invalidate(paths?: readonly string[]): void
  /** Checks which files changed, of all or of those at or under `paths`, reads only those, and returns the catalog. */
  refresh(paths?: readonly string[], options?: AskOptions): Promise<Catalog>
  /** Returns everything known of a name, loaded or not. */
  explain(name: string, options?: AskOptions): Promise<Explanation>
  /** Returns the providers of a kind, for code that builds an agent. */
  use<K extends Kind>(kind: K): KindAccess<ProviderKinds[K]>
  /** Emits an event that a package added to its listeners. */
  emit<E extends keyof EngineHooks>(event: E, payload: Parameters<EngineHooks[E]>[0]): void
  /** Listens to an engine event; returns a function that stops it. */
  hook<E extends keyof EngineHooks>(event: E, listener: HookListener<E>): () => void
  /** Aborts all work and undoes every set-up, the last first. Idempotent. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export interface KindRules {
  /** Number of providers that may register: one at most, or any number. */
  readonly arity: 'one' | 'many'
  /**
   * Policy for a failing provider. `isolate`: its answer is missing and a diagnostic says why. `throw`: the caller gets
   * its own `SkillsError`, else an `E_PROVIDER_FAILED` or `E_TIMEOUT`. `closed`: the caller gets this safe answer, and
   * a diagnostic says why.
   */
  readonly onFailure: 'isolate' | 'throw' | { readonly closed: (error: SkillsError) => unknown }
  /**
   * Versions of the kind's interface that this engine supports, as whole numbers. The types describe the last. Default:
   * 1.
   */
  readonly contracts?: readonly number[]
  /** Milliseconds that a provider may take for its set-up, for each answer, and to undo each effect. */
  readonly limitMs: number
  /**
   * Returns methods that the kind adds to an engine; they cannot replace the engine's own. Called once, when the engine
   * is made.
   */
  readonly methods?: (engine: Engine) => Partial<KindMethods>
}

export interface KindDefinition<K extends Kind = Kind> extends KindRules {
  readonly kind: K
}

/** Defines a kind. The kind decides what a failure does, never the caller. See docs/reference/kinds.md, "Kinds". */
/* @__NO_SIDE_EFFECTS__ */
export const defineKind = <K extends Kind>(kind: K, rules: KindRules): KindDefinition<K> => ({ kind, ...rules })

/** Kind of the sources. A source that fails loses only its own commands. */
export const sourceKind = defineKind('source', { arity: 'many', onFailure: 'isolate', limitMs: 10_000 })

/** Kind of the gates. A gate that fails lets nothing through. */
export const gateKind = defineKind('gate', {
  arity: 'many',
  limitMs: 10_000,
  onFailure: { closed: ({ message }): GateRules => ({ source: () => message, command: () => message }) },
})

/**
 * Kind of the renderer. Its error is thrown to the caller that invokes the command. It has no time limit, because a
 * person may be reading.
 */
export const rendererKind = defineKind('renderer', { arity: 'one', limitMs: Infinity, onFailure: 'throw' })

export const ownKinds: readonly KindDefinition[] = [sourceKind, gateKind, rendererKind]

/** Undoes an effect. Called once. */
export type Effect = () => MaybePromise<void>

/** Undo functions of all effects of an engine, in the order of acquisition, across all scopes. */
export type EffectStack = Map<() => Promise<void>, Scope>

/**
 * Effects of one set-up. If an effect is acquired after the scope was aborted, it is undone at once, so that nothing of
 * a late set-up remains.
 */
export class Scope {
  readonly #controller = new AbortController()
  readonly #stack: EffectStack
  readonly #run: (label: string, undo: Effect) => Promise<void>

  /** @param run runs an undo; never fails */
  constructor(stack: EffectStack, run: (label: string, undo: Effect) => Promise<void>) {
    this.#stack = stack
    this.#run = run
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason)
  }

  async acquire(label: string, acquire: () => MaybePromise<Effect>): Promise<void> {
    if (this.signal.aborted) throw abortError(this.signal)
    const undo = this.keep(label, await acquire())
    if (!this.signal.aborted) return
    await undo()
    throw abortError(this.signal)
  }

  /** Keeps the undo of an effect that is in place already. Returns a function that undoes it sooner. */
  keep(label: string, undo: Effect): () => Promise<void> {
    let done: Promise<void> | undefined
    const once = (): Promise<void> => (done ??= this.#run(label, undo).finally(() => this.#stack.delete(once)))
    this.#stack.set(once, this)
    if (this.signal.aborted) void once()
    return once
  }
}

/** Undoes the effects of one scope, or of all, last-in-first-out. */
export async function undoEffects(stack: EffectStack, only?: Scope): Promise<void> {
  for (const [undo, scope] of [...stack].toReversed()) if (only === undefined || scope === only) await undo()
}
