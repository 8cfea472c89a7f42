import { compareCodeUnits } from './name.js'
import { fail, abortError, messageOf, SkillsError, type ErrorCode } from './error.js'
import { refuse } from './options.js'
import { withDeadline } from './host.js'
import { engineProblem, type Diagnostic } from './diagnostic.js'
import { Scope, undoEffects, type Effect, type EffectStack } from './provider.js'
import type {
  KindDefinition,
  AnyProvider,
  Kind,
  Plugin,
  ProviderAnswer,
  AskCall,
  AskOptions,
  KindAccess,
  ProviderKinds,
  SetupContext,
} from './provider.js'
import type { HookBus } from './hook-bus.js'
import type { Host } from './host.js'
import type { OwnField } from './fields/field.js'
import type { Context, ShellName } from './command-words.js'
import type { Words } from './command.js'
import type { MaybePromise } from './promise.js'

/** Provider with its kind's rules. Its own time limit replaces that of the kind. */
interface Registered
  extends Pick<KindDefinition, 'onFailure'>, Required<Pick<KindDefinition, 'limitMs' | 'contracts'>> {
  readonly provider: AnyProvider
  /** Name of the provider in sentences. */
  readonly label: string
}

/**
 * Checks providers and kinds, and puts each kind's providers in order: by `order`, then by id.
 * @throws SkillsError `E_UNKNOWN_KIND`, `E_DUPLICATE_KIND`, `E_DUPLICATE_PROVIDER`, `E_TOO_MANY_PROVIDERS`,
 * `E_MISSING_PROVIDER` or `E_INVALID_OPTION`
 */
function registerProviders(
  plugins: readonly Plugin[],
  kinds: readonly KindDefinition[],
): ReadonlyMap<Kind, readonly Registered[]> {
  const definitions = new Map<string, KindDefinition>()
  for (const definition of kinds) {
    const { kind } = definition
    if ((definitions.get(kind) ?? definition) !== definition) {
      fail(
        'E_DUPLICATE_KIND',
        `The kind "${kind}" is defined twice.`,
        'Import the definition from one place, or rename one kind.',
      )
    }
    definitions.set(kind, definition)
  }

  const registered = new Map<Kind, Registered[]>()
  for (const provider of plugins.flat() as readonly AnyProvider[]) {
    const { kind, id, setup }: Partial<AnyProvider> = provider
    const lacks = !id ? 'id' : typeof setup === 'function' ? undefined : 'setup'
    if (lacks) refuse(`A provider of the kind "${kind}" has no ${lacks}.`, 'Make it with defineProvider().')
    const definition = definitions.get(kind)
    if (definition === undefined) {
      const known = [...definitions.keys()].toSorted(compareCodeUnits).join(', ')
      const hint = `Known kinds: ${known}. Pass its definition in createSkills({ kinds }).`
      fail('E_UNKNOWN_KIND', `The provider "${id}" is of the kind "${kind}", which no one defined.`, hint)
    }
    const { onFailure, limitMs, contracts = [1] } = definition
    const one = {
      provider,
      onFailure,
      contracts,
      limitMs: provider.limitMs ?? limitMs,
      label: `${kind} provider "${id}"`,
    }
    registered.set(kind, [...(registered.get(kind) ?? []), one])
  }

  for (const [kind, providers] of registered) {
    providers.sort(
      ({ provider: a }, { provider: b }) => (a.order ?? 0) - (b.order ?? 0) || compareCodeUnits(a.id, b.id),
    )
    const ids = providers.map(({ provider }) => provider.id)
    const twice = ids.find((id, at) => ids.indexOf(id) !== at)
    if (twice !== undefined) {
      fail(
        'E_DUPLICATE_PROVIDER',
        `Two ${kind} providers have the id "${twice}".`,
        'Give one provider another id, or register it once.',
      )
    }
    if (definitions.get(kind)?.arity === 'one' && ids.length > 1) {
      fail(
        'E_TOO_MANY_PROVIDERS',
        `The kind "${kind}" takes one provider, not "${ids.join('", "')}".`,
        'Register only one provider.',
      )
    }
    for (const { provider, label } of providers) {
      const missing = provider.needs?.find(need => !registered.has(need))
      if (missing === undefined) continue
      fail(
        'E_MISSING_PROVIDER',
        `The ${label} needs a provider of the kind "${missing}", and there is none.`,
        'Register one as a plugin.',
      )
    }
  }
  return registered
}

export interface KernelOptions {
  readonly plugins: readonly Plugin[]
  /** Fields of the host. */
  readonly fields: readonly OwnField[]
  readonly kinds: readonly KindDefinition[]
  readonly host: Host
  readonly hooks: HookBus
  readonly report: (diagnostic: Diagnostic) => void
  readonly invalidate: (
    kind: Kind,
    id: string,
    paths: readonly string[] | undefined,
    reason: string | undefined,
  ) => void
}

export interface QuestionOptions<R> extends AskOptions {
  /**
   * Returns the answer in place of a failing provider, instead of the kind's failure policy. The failure is not
   * reported then.
   */
  readonly instead?: (failure: Diagnostic, id: string) => R
}

export type Question<K extends Kind, R> = (provider: ProviderKinds[K], call: AskCall) => MaybePromise<R>

interface Running {
  readonly scope: Scope
  readonly instance: Promise<unknown>
}

/** Codes of diagnostics about failing providers, other than `provider-failed`. */
const problemCodes: Partial<Record<ErrorCode, string>> = {
  E_TIMEOUT: 'provider-timeout',
  E_CONTRACT_VERSION: 'provider-contract',
}

/**
 * Sets providers up when their kind is first used, calls them under the rules of their kind, and undoes everything at
 * close.
 */
export class Kernel {
  readonly words: Words
  readonly #engine = new AbortController()
  readonly #options: KernelOptions
  readonly #registered: ReadonlyMap<Kind, readonly Registered[]>
  readonly #running = new Map<Registered, Running>()
  readonly #effects: EffectStack = new Map()

  constructor(options: KernelOptions) {
    this.#options = options
    this.#registered = registerProviders(options.plugins, options.kinds)
    const besides = <W>(kind: string, usual: readonly W[]): readonly W[] =>
      (this.ids(kind) as readonly W[]).filter(id => !usual.includes(id))
    this.words = {
      context: besides<Context>('executor', ['inline', 'fork']),
      shell: besides<ShellName>('shell', ['bash', 'powershell']),
      fields: [...options.fields, ...options.plugins.flat().flatMap(({ fields = [] }) => fields)],
    }
  }

  /** Signal that aborts when the engine closes. */
  get signal(): AbortSignal {
    return this.#engine.signal
  }

  /** Every kind that has a provider, by code unit. */
  get kinds(): readonly Kind[] {
    return [...this.#registered.keys()].toSorted(compareCodeUnits)
  }

  /** Returns the ids of a kind's providers, in order. */
  ids(kind: string, isWanted: (provider: AnyProvider) => boolean = () => true): readonly string[] {
    return (this.#registered.get(kind as Kind) ?? []).flatMap(({ provider }) => (isWanted(provider) ? provider.id : []))
  }

  access<K extends Kind>(kind: K): KindAccess<ProviderKinds[K]> {
    const ids = this.ids(kind)
    return {
      ids,
      each: (question, options) => this.ask(kind, question, options),
      first: async (question, options) =>
        (await this.ask(kind, question, { ...options, only: ids.slice(0, 1) }))[0]?.value,
    }
  }

  /** Asks all providers at once, and returns answers in provider order. */
  async ask<K extends Kind, R>(
    kind: K,
    question: Question<K, R>,
    options: QuestionOptions<R> = {},
  ): Promise<readonly ProviderAnswer<R>[]> {
    const { only } = options
    const asked = (this.#registered.get(kind) ?? []).filter(
      ({ provider }) => only === undefined || only.includes(provider.id),
    )
    const settled = await Promise.allSettled(
      asked.map(registered =>
        // The registry checked the kind, so the instance has its interface.
        this.#ask(registered, (instance, call) => question(instance as ProviderKinds[K], call), options),
      ),
    )
    return settled.flatMap(one => {
      if (one.status === 'rejected') throw one.reason
      return one.value ?? []
    })
  }

  throwIfClosed(): void {
    if (this.signal.aborted) fail('E_CLOSED', 'The engine was closed.', 'Make a new one with createSkills().')
  }

  /** Aborts all work, then undoes every effect, the last first. Idempotent. */
  async close(): Promise<void> {
    const reason = new SkillsError('E_CLOSED', 'The engine was closed.')
    this.#engine.abort(reason)
    for (const { scope } of this.#running.values()) scope.abort(reason)
    await undoEffects(this.#effects)
  }

  async #ask<R>(
    registered: Registered,
    question: (instance: unknown, call: AskCall) => MaybePromise<R>,
    { signal, instead }: QuestionOptions<R>,
  ): Promise<ProviderAnswer<R> | undefined> {
    const {
      provider: { id },
      label,
      onFailure,
    } = registered
    this.throwIfClosed()
    try {
      const instance = await withDeadline(() => this.#instance(registered), { signals: [signal] })
      return {
        id,
        value: await this.#limited(
          registered,
          `The ${label}`,
          (call, progress) => question(instance, { id, signal: call, progress }),
          signal,
        ),
      }
    } catch (error) {
      // An abort is the caller's decision, not a failure of the provider.
      for (const given of [signal, this.signal]) if (given?.aborted === true) throw abortError(given)
      const message = `The ${label} failed: ${messageOf(error)}`
      const coded = SkillsError.is(error) ? error : new SkillsError('E_PROVIDER_FAILED', message, { cause: error })
      const failure = engineProblem('error', problemCodes[coded.code] ?? 'provider-failed', coded.message, id)
      if (instead !== undefined) return { id, value: instead(failure, id) }
      if (onFailure === 'throw') throw coded
      this.#options.report(failure)
      return onFailure === 'isolate' ? undefined : { id, value: onFailure.closed(coded) as R }
    }
  }

  #instance(registered: Registered): Promise<unknown> {
    let running = this.#running.get(registered)
    if (running === undefined) {
      const scope = new Scope(this.#effects, (label, undo) => this.#undo(registered, label, undo))
      // Started after it is in the map, since a set-up may use this provider again.
      running = { scope, instance: Promise.resolve().then(() => this.#setUp(registered, scope)) }
      this.#running.set(registered, running)
    }
    return running.instance
  }

  async #setUp(registered: Registered, scope: Scope): Promise<unknown> {
    const {
      label,
      provider,
      provider: { kind, contract = 1 },
      contracts,
    } = registered
    try {
      if (!contracts.includes(contract)) {
        const hint =
          contract > Math.max(...contracts)
            ? 'Update the package that defines the kind, such as @skills/core.'
            : 'Update the plugin.'
        fail(
          'E_CONTRACT_VERSION',
          `The ${label} was written for version ${contract} of the kind "${kind}", but this engine supports version ${contracts.join(' and ')}.`,
          hint,
        )
      }
      return await this.#limited(registered, `Setting up the ${label}`, () =>
        provider.setup(this.#context(registered, scope)),
      )
    } catch (error) {
      scope.abort(error)
      // Undone before the failure is reported, and then forgotten, so that the next use tries again. At close, the
      // effects of all providers are undone in one order instead.
      if (!this.signal.aborted) await undoEffects(this.#effects, scope)
      this.#running.delete(registered)
      throw error
    }
  }

  /** Runs a provider's code under its time limit, until the engine closes or `signal` aborts. */
  #limited<T>(
    registered: Registered,
    what: string,
    work: Parameters<typeof withDeadline<T>>[0],
    signal?: AbortSignal,
  ): Promise<T> {
    const {
      provider: { id },
      label,
      limitMs,
    } = registered
    const {
      host: { clock },
      report,
    } = this.#options
    const onLate = (error: unknown): void =>
      report(
        engineProblem(
          'info',
          'late-failure',
          `The ${label} failed after the engine stopped waiting: ${messageOf(error)}`,
          id,
        ),
      )
    return withDeadline(work, { signals: [this.signal, signal], limit: { ms: limitMs, clock, what }, onLate })
  }

  async #undo({ provider: { id }, label, limitMs }: Registered, effect: string, undo: Effect): Promise<void> {
    const {
      host: { clock },
      report,
    } = this.#options
    const what = `Undoing "${effect}" of the ${label}`
    const failed = (error: unknown): void =>
      report(engineProblem('warning', 'undo-failed', `${what} failed: ${messageOf(error)}`, id))
    await withDeadline(undo, { signals: [], limit: { ms: limitMs, clock, what }, onLate: failed }).catch(failed)
  }

  #context({ provider, label: owner }: Registered, scope: Scope): SetupContext<Kind> {
    const { host, hooks, invalidate, report } = this.#options
    return {
      signal: scope.signal,
      host,
      words: this.words,
      report: diagnostic => report({ ...diagnostic, provider: provider.id }),
      hook: (event, listener) => scope.keep(`listener of ${event}`, hooks.on(event, listener)),
      invalidate: (paths, reason) => invalidate(provider.kind, provider.id, paths, reason),
      effect: (label, acquire) => scope.acquire(label, acquire),
      use: kind => {
        if ([...(provider.needs ?? []), ...(provider.wants ?? [])].includes(kind as never)) return this.access(kind)
        fail(
          'E_UNDECLARED_NEED',
          `The ${owner} used the kind "${kind}" without declaring it.`,
          `Add needs: ['${kind}'] or wants: ['${kind}'] to the provider.`,
        )
      },
    }
  }
}
