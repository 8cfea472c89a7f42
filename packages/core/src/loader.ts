import { abortError } from './error.js'
import { assembleCatalog, type CatalogRules } from './build-catalog.js'
import { checkedResult, loadResult, type LoadParts, type LoadResult, type Source } from './source.js'
import { Catalog, compareCatalogs, type GoneEntry } from './catalog.js'
import { untilAborted, withDeadline } from './host.js'
import type { AskCall } from './provider.js'
import type { Diagnostic } from './diagnostic.js'
import { barredBy, type GateRules } from './provider.js'
import type { Kernel, KernelOptions } from './kernel.js'
import type { LargeSources, Listed } from './large-sources.js'
import type { MaybePromise } from './promise.js'

/**
 * Out-of-date part of a source's last result. `all`: everything. `recheck`: everything that the source finds changed
 * when it looks again. A list: everything at or below these paths.
 */
export type Staleness = 'all' | 'recheck' | readonly string[]

export interface LoaderOptions extends Pick<KernelOptions, 'hooks' | 'report'> {
  readonly kernel: Kernel
  readonly rules: CatalogRules
}

/** Makes the key by which a problem that stays from load to load is reported once. */
const keyOf = ({ severity, provider, code, path, line, name, field, message }: Diagnostic): string =>
  [severity, provider, code, path, line, name, field, message].join('\0')

/**
 * Milliseconds before a source that did not finish twice is asked again; doubled each time, up to {@link longestRest}.
 */
const firstRest = 10_000
/**
 * Milliseconds before it is asked for the second time. One command may ask for the catalog several times and should
 * wait for the source only once.
 */
const shortRest = 1000
const longestRest = 300_000

/** True if a time has come. After a clock was set back, a source waits at most the longest rest. */
const isPast = (due: number, now: number): boolean => due <= now || due - now > longestRest

interface Pass {
  readonly promise: Promise<void>
  /** Settles when `promise` does, and never rejects. */
  readonly ended: Promise<void>
  readonly controller: AbortController
  waiting: number
}

/**
 * Loads the catalog once and keeps it until something is out of date. Callers at the same time share one pass. If
 * something goes out of date during it, another pass follows, so no caller gets a stale catalog.
 */
export class Loader {
  /** Commands of earlier catalogs, by names that no command has now. */
  readonly gone = new Map<string, GoneEntry>()
  /** Large sources; undefined while none is known. */
  large: LargeSources | undefined
  readonly #options: LoaderOptions
  readonly #ids: readonly string[]
  readonly #results = new Map<string, LoadResult>()
  /** Ids of sources whose last answer was a failure, so that there is nothing to refresh. */
  readonly #failed = new Set<string>()
  /** Functions that return what a running source has found so far, by its id. */
  readonly #soFar = new Map<string, (() => MaybePromise<LoadParts>) | undefined>()
  /**
   * Number of times in a row that sources did not finish, and when each is asked again, in milliseconds since the
   * epoch.
   */
  readonly #unfinished = new Map<string, { readonly times: number; readonly due: number }>()
  /** Rules of gates from the last load; `#areGatesStale`: they may have changed. */
  gates: readonly GateRules[] = []
  #areGatesStale = true
  /** Reasons why sources were not asked; undefined for a source that was asked. */
  readonly barred = new Map<string, string | undefined>()
  #reason: string | undefined
  #stale = new Map<string, Staleness>()
  #reported = new Set<string>()
  /** Catalog of the last load, with what was found since. */
  present: Catalog | undefined
  /** Listed commands of the last load; undefined if no source is large, so that nothing can join them. */
  listed: Listed | undefined
  /** Entries when the catalog was made. A command may have switched itself off since. */
  #shown: Pick<Catalog, 'entries'> | undefined
  #pass: Pass | undefined

  constructor(options: LoaderOptions) {
    this.#options = options
    this.#ids = options.kernel.ids('source')
    this.invalidate('all')
  }

  /** @param ids ids of the sources; default: every source */
  invalidate(staleness: Staleness | 'gates', ids = this.#ids, reason?: string): void {
    this.#reason = reason ?? this.#reason
    this.#areGatesStale = true
    if (staleness !== 'gates') this.#markStale(staleness, ids)
  }

  #markStale(staleness: Staleness, ids: readonly string[]): void {
    for (const id of ids) {
      const both = [this.#stale.get(id) ?? [], staleness]
      this.#stale.set(id, both.find(one => one === 'all') ?? both.find(one => one === 'recheck') ?? both.flat())
    }
  }

  async load(signal?: AbortSignal): Promise<Catalog> {
    this.#options.kernel.throwIfClosed()
    // Events that were emitted before are delivered first: they may make something out of date.
    await undefined
    const late =
      this.#pass !== undefined
        ? []
        : [...this.#unfinished].filter(([, { due }]) => isPast(due, this.#options.rules.clock.now()))
    if (late.length > 0)
      this.#markStale(
        'recheck',
        late.map(([id]) => id),
      )
    for (;;) {
      if (signal?.aborted === true) throw abortError(signal)
      if (this.present !== undefined && this.#pass === undefined && this.#stale.size === 0 && !this.#areGatesStale)
        return this.present
      const pass = (this.#pass ??= this.#start())
      // An aborted pass ends first: it still has to mark what it asked for as out of date.
      await (pass.controller.signal.aborted ? untilAborted(pass.ended, signal) : this.#join(pass, signal))
    }
  }

  /** Loads the catalog, and asks large sources for names that it does not have. */
  async find(names: readonly string[], signal?: AbortSignal): Promise<Catalog> {
    const catalog = await this.load(signal)
    return this.large === undefined ? catalog : this.large.find(names, signal)
  }

  /** Imports what large sources need with the first of them: most engines have none. */
  async #addLarge(id: string): Promise<void> {
    const { LargeSources } = await import('./large-sources.js')
    this.large ??= new LargeSources(this, this.#options)
    this.large.add(id)
  }

  /** Waits together with others. When the last caller gives up, the pass is aborted. */
  #join(pass: Pass, signal: AbortSignal | undefined): Promise<void> {
    pass.waiting++
    return untilAborted(pass.promise, signal).finally(() => {
      if (--pass.waiting === 0) pass.controller.abort(signal?.reason)
    })
  }

  #start(): Pass {
    const controller = new AbortController()
    const signals = [controller.signal, this.#options.kernel.signal]
    const promise = withDeadline(signal => this.#loadAnew(signal), { signals }).catch((error: unknown) => {
      // The results of an interrupted pass are dropped, though a source may believe that its answer arrived.
      this.invalidate('all')
      throw error
    })
    const end = (): void => void (this.#pass = undefined)
    return { promise, ended: promise.then(end, end), controller, waiting: 0 }
  }

  async #loadAnew(signal: AbortSignal): Promise<void> {
    const isBoundAnew = await this.#askGates(signal)
    const isChanged = (await this.#askSources(signal)) || isBoundAnew
    const provided = this.#ids.map(provider => ({ provider, result: this.#results.get(provider) ?? loadResult({}) }))
    const rules = { ...this.#options.rules, gates: this.gates }
    const { large } = this
    let catalog = isChanged ? undefined : this.present
    let listed = this.listed
    if (catalog === undefined) {
      const made = await assembleCatalog(provided, rules, { signal, hasMore: large !== undefined })
      catalog = new Catalog(made.parts, made.byName)
      // Without large sources nothing joins it, so it is not kept in memory.
      listed = large && { ...made, catalog }
      while (listed && large?.isBehind(catalog) === true) catalog = await large.withKept(listed)
    }
    if (signal.aborted) throw abortError(signal)
    this.listed = listed
    this.#publish(catalog)
  }

  /** Returns true if any gate has new rules. A source that is barred differently now is asked again. */
  async #askGates(signal: AbortSignal): Promise<boolean> {
    this.#areGatesStale = false
    const { kernel } = this.#options
    const answers = await kernel.ask('gate', (gate, call) => gate.rules?.(call), { signal })
    const gates = answers.flatMap(({ value }) => value ?? [])
    const isSame = gates.length === this.gates.length && gates.every((one, at) => one === this.gates[at])
    this.gates = gates
    if (!isSame) {
      const only = this.#ids.filter(id => this.#stale.get(id) !== 'all')
      const isAsBefore = await kernel.ask(
        'source',
        (source, { id }) => this.#barOf(source, id) === this.barred.get(id),
        { signal, only, instead: () => false },
      )
      for (const { id, value } of isAsBefore) if (!value) this.#stale.set(id, 'all')
    }
    return !isSame
  }

  #barOf({ source }: Source, id: string): string | undefined {
    return barredBy(this.gates, one => one.source?.(source, id))
  }

  /** Asks the sources that are out of date. Returns true if any returned a new result. */
  async #askSources(signal: AbortSignal): Promise<boolean> {
    const { kernel, hooks } = this.#options
    const asked = this.#stale
    this.#stale = new Map()
    const providers = this.#ids.filter(id => asked.has(id))
    hooks.emit('sources:loading', { providers })
    const answers = await kernel.ask('source', (source, call) => this.#askSource(source, call, asked.get(call.id)), {
      signal,
      only: providers,
      instead: (diagnostic, provider) => {
        this.#failed.add(provider)
        hooks.emit('sources:error', { provider, diagnostic })
        return loadResult({ errors: [diagnostic], incomplete: diagnostic.message })
      },
    })
    for (const { id, value } of answers) {
      if (value === undefined) continue
      if (value.incomplete === undefined) {
        this.#results.set(id, value)
        this.#unfinished.delete(id)
        continue
      }
      // Imported on use: most sources finish.
      const { withUnseen, foundSoFar } = await import('./with-unseen.js')
      const found = this.#failed.has(id) ? this.#soFar.get(id) : undefined
      const soFar = found && (await foundSoFar(id, found, this.#options, signal))
      this.#results.set(id, withUnseen(soFar?.merge(value) ?? value, this.#results.get(id)))
      this.#restFrom(id)
    }
    this.#soFar.clear()
    return answers.some(({ value }) => value !== undefined)
  }

  /** Sets when an unfinished source is asked again: soon after the first time, then later and later. */
  #restFrom(id: string): void {
    const times = (this.#unfinished.get(id)?.times ?? 0) + 1
    const rest = times === 1 ? shortRest : Math.min(firstRest * 2 ** (times - 2), longestRest)
    this.#unfinished.set(id, { times, due: this.#options.rules.clock.now() + rest })
  }

  async #askSource(
    source: Source,
    { id, signal, progress }: AskCall,
    staleness: Staleness = 'all',
  ): Promise<LoadResult | undefined> {
    if (source.find !== undefined) await this.#addLarge(id)
    const barred = this.#barOf(source, id)
    this.barred.set(id, barred)
    if (barred !== undefined) return loadResult({ places: [{ path: id, state: 'skipped', found: 0, note: barred }] })
    const call = {
      signal,
      progress: (done: number, found?: () => MaybePromise<LoadParts>): void => {
        progress?.()
        this.#soFar.set(id, found ?? this.#soFar.get(id))
        this.#options.hooks.emit('sources:progress', { provider: id, done })
      },
    }
    const paths = typeof staleness === 'string' ? undefined : staleness
    const isRefresh = source.refresh !== undefined && staleness !== 'all' && !this.#failed.has(id)
    const given = await (isRefresh ? source.refresh?.(paths, call) : source.list(call))
    const result = await checkedResult(id, given, this.#options.kernel.words)
    this.#failed.delete(id)
    if (result !== undefined && source.find !== undefined) await this.large?.findAgain(source, { id, signal, progress })
    if (result !== undefined || (isRefresh && given === undefined)) return result
    throw new TypeError(
      `${isRefresh ? 'refresh' : 'list'}() did not give a load result; make one with loadResult({ commands, errors }).`,
    )
  }

  /** Reports the problems that the catalog before did not have. */
  reportNew({ errors, warnings }: Catalog): void {
    const problems = new Map([...errors, ...warnings].map(problem => [keyOf(problem), problem]))
    for (const [key, problem] of problems) if (!this.#reported.has(key)) this.#options.report(problem)
    this.#reported = new Set(problems.keys())
  }

  #publish(catalog: Catalog): void {
    const { hooks, rules } = this.#options
    const { entries, errors } = catalog
    this.reportNew(catalog)
    const bySource: Record<string, number> = {}
    for (const { command } of entries) bySource[command.source] = (bySource[command.source] ?? 0) + 1
    const found = [...this.#results.values()].reduce((sum, { commands }) => sum + commands.length, 0)
    const duplicates = catalog.collisions.filter(({ rule }) => rule !== 'precedence').length
    hooks.emit('sources:loaded', {
      found,
      duplicates,
      unique: found - duplicates,
      errors: errors.length,
      bySource,
      incomplete: catalog.incomplete,
    })
    if (errors.length > 0)
      hooks.emit('sources:failed', {
        count: errors.length,
        places: errors.map(({ path, provider = '' }) => path ?? provider),
      })

    const before = this.#shown
    const reason = this.#reason ?? 'reload'
    this.#reason = undefined
    this.present = catalog
    this.#shown = { entries }
    if (before === undefined || before.entries === entries) return
    const change = compareCatalogs(before, { entries })
    const lost = before.entries.filter(({ name }) => catalog.get(name) === undefined)
    for (const entry of lost) this.gone.set(entry.name, { ...entry, since: rules.clock.now() })
    for (const name of change.added) this.gone.delete(name)
    if (change.added.length + change.removed.length + change.changed.length > 0)
      hooks.emit('skills:changed', { ...change, reason, catalog })
  }
}
