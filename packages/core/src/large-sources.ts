import { assembleCatalog, type Assembled, type CatalogRules } from './build-catalog.js'
import { checkedResult, loadResult, type Source } from './source.js'
import { fail } from './error.js'
import { nameKey } from './name.js'
import { untilAborted } from './host.js'
import type {
  AskCall,
  GateRules,
  AskOptions,
  LargeAnswers,
  LargeCommands,
  LargePage,
  LargePageOptions,
  LargeSearchOptions,
  ProviderAnswer,
} from './provider.js'
import { Catalog, type CatalogParts, type Incomplete } from './catalog.js'
import type { CatalogEntry, Command } from './command.js'
import type { Diagnostic } from './diagnostic.js'
import type { Kernel } from './kernel.js'
import type { MaybePromise } from './promise.js'

/** Most names whose commands are kept. The name that was asked for longest ago leaves first. */
const mostKept = 1000
/** Names that a reload asks a source for at once. */
const askedAtOnce = 32

export interface Listed extends Assembled {
  readonly catalog: Catalog
}

/** State of the loader. */
export interface Loaded {
  /** Listed commands of the last load; undefined if no source was large then. */
  readonly listed: Listed | undefined
  /** Catalog of the last load, with what was found since. */
  present: Catalog | undefined
  readonly gates: readonly GateRules[]
  /** Reasons why sources were not asked. */
  readonly barred: ReadonlyMap<string, string | undefined>
  load(signal?: AbortSignal): Promise<Catalog>
  /** Reports the problems that the catalog before did not have. */
  reportNew(catalog: Catalog): void
}

export interface LargeSourcesOptions {
  readonly kernel: Kernel
  readonly report: (diagnostic: Diagnostic) => void
  readonly rules: CatalogRules
}

type Answers<T> = readonly ProviderAnswer<T>[]

/** Finds commands that sources have and do not list, and joins them to the catalog. */
export class LargeSources implements LargeCommands {
  readonly #loader: Loaded
  readonly #options: LargeSourcesOptions
  readonly #large = new Set<string>()
  /** Commands by the name that was asked for, and then by source. The name that was asked for last is the last one. */
  readonly #kept = new Map<string, ReadonlyMap<string, Command>>()
  /** Counts the changes of `#kept`; `#states`: the count of each catalog that was made of it. */
  #changes = 0
  readonly #states = new WeakMap<Catalog, number>()
  readonly #parts = new WeakMap<Catalog, Pick<Assembled, 'parts' | 'byName'>>()
  #joining: Promise<void> = Promise.resolve()

  constructor(loader: Loaded, options: LargeSourcesOptions) {
    this.#loader = loader
    this.#options = options
  }

  add(id: string): void {
    this.#large.add(id)
  }

  /** See {@link Engine.catalog}. */
  async find(names: readonly string[], signal?: AbortSignal): Promise<Catalog> {
    const keys = [...new Set(names.map(nameKey))]
    for (let asked: readonly string[] = [], failed: readonly Incomplete[] = [], at: Assembled | undefined; ;) {
      const catalog = await this.#loader.load(signal)
      const listed = this.#loader.listed
      if (listed === undefined) return catalog
      for (const key of keys) this.#keep(key, this.#kept.get(key))
      // What was answered before a reload is not of this catalog.
      const missing = keys.filter(key => !(at === listed && asked.includes(key)) && !isTaken(catalog, key))
      if (missing.length === 0) return this.#withIncomplete(catalog, failed)
      ;[at, asked, failed] = [listed, missing, []]
      for (const key of missing) {
        const { answers, incomplete } = await this.#ask((source, call) => this.#findBy(source, key, call), signal)
        failed = [...failed, ...incomplete]
        if (answers.length === 0 || listed !== this.#loader.listed) continue
        this.#keep(key, new Map(answers.map(({ id, value }) => [id, value])))
        this.#changes++
      }
      await untilAborted(this.#join(), signal)
    }
  }

  async search(query: string, { signal, limit, prefix }: LargeSearchOptions): Promise<LargeAnswers> {
    const { answers, incomplete } = await this.#ask(async (source, call) => {
      const found = await source.search?.(query, { signal: call.signal, limit, prefix })
      return (
        found &&
        this.#sound(
          call.id,
          found.slice(0, limit).map(({ command }) => command),
        )
      )
    }, signal)
    return { answers: await this.#admit(answers, signal), incomplete }
  }

  async page({ signal, limit, after }: LargePageOptions): Promise<LargePage> {
    const ids = this.#ids()
    const incomplete: Incomplete[] = []
    const [first = ids[0], within] = after === undefined ? [] : cursorOf(after)
    for (let at = first === undefined ? -1 : ids.indexOf(first); at >= 0 && at < ids.length; at++) {
      const position = ids[at] === first ? within : undefined
      const asked = await this.#ask(
        async (source, call) => {
          const page = await source.page?.({ signal: call.signal, limit, after: position })
          if (page === undefined) return undefined
          const { commands, next } = page
          if (commands.length > limit || (next !== undefined && (typeof next !== 'string' || next === position)))
            throw new TypeError(`page() gave ${commands.length} commands of at most ${limit}, and "${next}" as next.`)
          return { commands: await this.#sound(call.id, commands), next }
        },
        signal,
        ids.slice(at, at + 1),
      )
      incomplete.push(...asked.incomplete)
      for (const { id, value } of asked.answers) {
        const following = ids[at + 1]
        const cursor = value.next === undefined ? following && [following] : [id, value.next]
        const [admitted] = await this.#admit([{ id, value: value.commands }], signal)
        return { entries: admitted?.value ?? [], next: cursor && JSON.stringify(cursor), incomplete }
      }
    }
    return { entries: [], next: undefined, incomplete }
  }

  async count({ signal }: Pick<AskOptions, 'signal'> = {}): Promise<Answers<number>> {
    const { answers } = await this.#ask(async (source, call) => {
      const count = await source.count?.({ signal: call.signal })
      if (count === undefined || (Number.isInteger(count) && count >= 0)) return count
      throw new TypeError('count() gave no whole number.')
    }, signal)
    return answers
  }

  /** Asks a source whose list was loaded again for the names whose commands are kept. */
  async findAgain(source: Source, call: AskCall): Promise<void> {
    const names = source.find === undefined ? [] : [...this.#kept.keys()]
    while (names.length > 0) {
      await Promise.all(
        names.splice(0, askedAtOnce).map(async key => {
          const command = await this.#findBy(source, key, call)
          if (call.signal.aborted) return
          const commands = new Map(this.#kept.get(key))
          if (command === undefined) commands.delete(call.id)
          else commands.set(call.id, command)
          if (commands.size === 0) this.#kept.delete(key)
          else this.#kept.set(key, commands)
          this.#changes++
        }),
      )
      call.progress?.()
    }
  }

  /** Joins everything that is kept to what a load listed. */
  async withKept(listed: Listed): Promise<Catalog> {
    const changes = this.#changes
    const kept = [...this.#kept.values()]
    // A command may have been asked for by its qualified name too.
    const given = this.#ids().map(id => {
      const commands = kept
        .flatMap(found => found.get(id) ?? [])
        .map(command => [nameKey(command.name), command] as const)
      return { id, value: [...new Map(commands).values()] }
    })
    const catalog =
      kept.length === 0 ? listed.catalog : (await this.#assemble(listed, given, this.#options.kernel.signal)).catalog
    this.#states.set(catalog, changes)
    return catalog
  }

  /** True if more was found since a catalog of {@link withKept} was made. */
  isBehind(catalog: Catalog): boolean {
    return this.#states.get(catalog) !== this.#changes
  }

  /** Puts what was found since into the catalog: one join at a time, for all who wait. */
  #join(): Promise<void> {
    const join = async (): Promise<void> => {
      for (;;) {
        const [listed, present] = [this.#loader.listed, this.#loader.present]
        if (listed === undefined || present === undefined || !this.isBehind(present)) return
        const catalog = await this.withKept(listed)
        // A reload joins what is kept by itself.
        if (listed !== this.#loader.listed) continue
        this.#loader.present = catalog
        this.#loader.reportNew(catalog)
      }
    }
    return (this.#joining = this.#joining.then(join, join))
  }

  #keep(key: string, commands: ReadonlyMap<string, Command> | undefined): void {
    if (commands === undefined) return
    this.#kept.delete(key)
    this.#kept.set(key, commands)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest)
  }

  /** Returns the large sources that no gate bars, in provider order. */
  #ids(): readonly string[] {
    const { barred } = this.#loader
    return this.#options.kernel.ids('source').filter(id => this.#large.has(id) && barred.get(id) === undefined)
  }

  /** Asks large sources after a load. A failure is reported, and the other answers are kept. */
  async #ask<T>(
    question: (source: Source, call: AskCall) => MaybePromise<T | undefined>,
    signal: AbortSignal | undefined,
    only = this.#ids(),
  ): Promise<{ readonly answers: Answers<T>; readonly incomplete: readonly Incomplete[] }> {
    const incomplete: Incomplete[] = []
    const answers = await this.#options.kernel.ask('source', question, {
      signal,
      only,
      instead: (failure, provider) => {
        this.#options.report(failure)
        incomplete.push({ provider, reason: failure.message })
        return undefined
      },
    })
    return { answers: answers.flatMap(({ id, value }) => (value === undefined ? [] : { id, value })), incomplete }
  }

  /**
   * Asks a source for the command of a name, or of the rest of a name that begins with the source's own word: this is
   * the name of a command whose plain name another command has.
   */
  async #findBy(source: Source, key: string, { id, signal }: AskCall): Promise<Command | undefined> {
    const own = nameKey(`${source.source}:`)
    for (const name of key.startsWith(own) ? [key, key.slice(own.length)] : [key]) {
      const command = await source.find?.(name, { signal })
      if (command === undefined) continue
      const [sound] = await this.#sound(id, [command])
      if (sound !== undefined && nameKey(sound.name) === name) return sound
      throw new TypeError(`find() gave another command than "${name}".`)
    }
    return undefined
  }

  /** Returns the commands of an answer. Throws if one is malformed. */
  async #sound(id: string, commands: readonly Command[]): Promise<readonly Command[]> {
    const result = await checkedResult(id, { commands }, this.#options.kernel.words)
    if (result === undefined || result.errors[0] !== undefined)
      throw new TypeError(result?.errors[0]?.message ?? 'The answer has no list of commands.')
    return result.commands
  }

  /**
   * Passes commands through the rules of the catalog without keeping them. Returns their entries in the same order; a
   * command that the catalog would not have has none.
   */
  async #admit(given: Answers<readonly Command[]>, signal?: AbortSignal): Promise<Answers<readonly CatalogEntry[]>> {
    const listed = this.#loader.listed
    if (listed === undefined || given.length === 0) return []
    const keyOf = (id: string, { name }: Command): string => `${id}\0${nameKey(name)}`
    const own = new Map(
      listed.parts.entries
        .filter(({ provider }) => this.#large.has(provider))
        .map(entry => [keyOf(entry.provider, entry.command), entry]),
    )
    const beyond = given.map(({ id, value }) => ({ id, value: value.filter(command => !own.has(keyOf(id, command))) }))
    const { catalog, parts } = await this.#assemble(listed, beyond, signal)
    const entries = new Map(catalog.found.map(entry => [entry.command, entry]))
    for (const { rule, winner, loser } of parts.collisions)
      if (rule !== 'precedence') entries.set(loser.command, winner)
    return given.map(({ id, value }) => ({
      id,
      value: value.flatMap(command => {
        const entry = own.get(keyOf(id, command)) ?? entries.get(command)
        return entry !== undefined && catalog.get(entry.name) === entry ? [entry] : []
      }),
    }))
  }

  async #assemble(
    listed: Listed,
    given: Answers<readonly Command[]>,
    signal?: AbortSignal,
  ): Promise<{ readonly catalog: Catalog; readonly parts: CatalogParts }> {
    const provided = given.map(({ id, value }) => ({ provider: id, result: loadResult({ commands: value }) }))
    const { parts: own, byName } = await assembleCatalog(
      provided,
      { ...this.#options.rules, gates: this.#loader.gates },
      { signal, listed },
    )
    const parts: CatalogParts = {
      ...listed.parts,
      listed: listed.catalog,
      found: own.entries,
      disabled: [...listed.parts.disabled, ...own.disabled],
      collisions: [...listed.parts.collisions, ...own.collisions],
      errors: [...listed.parts.errors, ...own.errors],
      warnings: [...listed.parts.warnings, ...own.warnings],
    }
    const catalog = new Catalog(parts, byName)
    this.#parts.set(catalog, { parts, byName })
    return { catalog, parts }
  }

  /** Returns the same catalog with further sources that did not finish. */
  #withIncomplete(catalog: Catalog, more: readonly Incomplete[]): Catalog {
    const { parts, byName } = this.#parts.get(catalog) ?? this.#loader.listed ?? {}
    if (more.length === 0 || parts === undefined || byName === undefined) return catalog
    return new Catalog({ ...parts, listed: catalog.listed, incomplete: [...parts.incomplete, ...more] }, byName)
  }
}

/** True if the catalog has a command for a name, or several. */
function isTaken(catalog: Catalog, name: string): boolean {
  try {
    return catalog.lookup(name) !== undefined
  } catch {
    return true
  }
}

/** Reads what {@link LargeSources.page} gave as `next`: a source, and the position in it. */
function cursorOf(text: string): readonly [source: string, position: string | undefined] {
  const parts = jsonOf(text)
  if (Array.isArray(parts) && parts.every(part => typeof part === 'string') && parts[0] !== undefined)
    return [parts[0], parts[1]]
  fail('E_INVALID_OPTION', `${JSON.stringify(text)} begins no page.`, 'Pass "next" of the page before.')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
