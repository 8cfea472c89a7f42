import { createSkills, loadResult, messageOf, type Kind, type LoadResult, type Plugin, type Provider, type Skills, type Source } from '@skills/core'
import { fakeHost } from '../fake-host.js'
import { ContractError } from './contract-case.js'
import type { FakeClock } from '../fake-clock.js'
import type { MakeFixture, SampleSkill, SkillStore, SourceFixture, StoreAbility } from './fixture.js'

export interface StartedSource {
  /** The source itself, as an engine has set it up. */
  readonly source: Source
  /** What it lists. A failure breaks the rule. */
  list(): Promise<LoadResult>
  /** What it gives when it looks again. A failure breaks the rule, and so does a source that cannot. */
  refresh(paths?: readonly string[]): Promise<LoadResult | undefined>
}

export interface EngineOptions {
  readonly clock?: FakeClock
  readonly plugins?: readonly Plugin[]
}

/** A store that surely has some abilities. */
export type AbleStore<A extends StoreAbility> = SkillStore & Required<Pick<SkillStore, A>>

/** One check of one rule: makes what it takes, says in sentences what is wrong, and leaves nothing behind. */
export class Trial {
  readonly patienceMs: number
  readonly #rule: string
  readonly #make: MakeFixture
  readonly #undos: (() => unknown)[] = []
  #nameOf: (name: string) => string = name => name

  constructor(rule: string, make: MakeFixture, patienceMs: number) {
    this.#rule = rule
    this.#make = make
    this.patienceMs = patienceMs
  }

  /** Says that the rule is broken. */
  broken(what: string, cause?: unknown): never {
    throw new ContractError(`Rule "${this.#rule}": ${what}`, cause === undefined ? undefined : { cause })
  }

  /** A fixture of its own, with these skills in its store. */
  async fixture(skills: readonly SampleSkill[] = []): Promise<SourceFixture> {
    const fixture = await this.#unchecked('make() failed', async () => this.#make())
    this.atEnd(() => fixture.dispose?.())
    this.#nameOf = name => fixture.nameOf?.(name) ?? name
    if (skills.length > 0) await this.#unchecked('put() failed', async () => fixture.store.put(skills))
    return fixture
  }

  /** What a skill of the store is invoked by. */
  nameOf(stored: string): string {
    return this.#nameOf(stored)
  }

  /** The store of a fixture, which has to have these abilities. */
  able<A extends StoreAbility>(store: SkillStore, ...abilities: readonly A[]): AbleStore<A> {
    const missing = abilities.find(ability => store[ability] === undefined)
    if (hasAll(store, abilities)) return store
    this.broken(`it cannot be checked, because the store has no ${missing}(). Give it one, or say why it has none: without: { ${missing}: '…' }.`)
  }

  /** An engine with the source of a fixture and what it needs. */
  engine(fixture: SourceFixture, { clock, plugins = [] }: EngineOptions = {}): Skills {
    return this.#engine(fixture, [fixture.provider, ...plugins], clock)
  }

  /** The source of a fixture, set up by an engine that has another one to list, so that the rule alone asks this one. */
  async start(fixture: SourceFixture): Promise<StartedSource> {
    let source: Source | undefined
    const idle: Provider<'source', Kind> = {
      ...fixture.provider,
      async setup(ctx) {
        source = await fixture.provider.setup(ctx)
        return { source: source.source, list: () => loadResult({}) }
      },
    }
    const catalog = await this.within('setup()', this.#engine(fixture, [idle]).catalog())
    const problem = catalog.errors[0]?.message
    if (source === undefined) return this.broken(`the source was not set up: ${problem ?? 'setup() was not called.'}`)
    const started = source
    return {
      source: started,
      list: () => this.answer('list()', async () => started.list(quietCall())),
      refresh: paths => this.answer('refresh()', async () => {
        if (started.refresh !== undefined) return started.refresh(paths, quietCall())
        this.broken('it cannot be checked, because the source has no refresh(). Give it one, or say why it has none: without: { refresh: \'…\' }.')
      }),
    }
  }

  /** What some work gives; that it fails, or does not end, breaks the rule. */
  async answer<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.within(what, work())
    } catch (error) {
      if (error instanceof ContractError) throw error
      return this.broken(`${what} failed: ${messageOf(error)}`, error)
    }
  }

  /** Gives up waiting after the patience of the suite; what fails before that fails. */
  async within<T>(what: string, work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const outOfPatience = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new ContractError(`Rule "${this.#rule}": ${what} did not answer within ${this.patienceMs} ms.`)), this.patienceMs)
    })
    try {
      return await Promise.race([work, outOfPatience])
    } finally {
      clearTimeout(timer)
    }
  }

  /** Undone last-in-first-out. */
  atEnd(undo: () => unknown): void {
    this.#undos.push(undo)
  }

  /** Undoes everything, whatever fails on the way; the first failure is told of then. */
  async end(): Promise<void> {
    const failures: unknown[] = []
    for (const undo of this.#undos.splice(0).reverse()) {
      const [ended] = await Promise.allSettled([this.within('cleaning up', this.#unchecked('cleaning up failed', async () => undo()))])
      if (ended.status === 'rejected') failures.push(ended.reason)
    }
    if (failures.length > 0) throw failures[0]
  }

  #engine({ host, plugins = [], kinds = [] }: SourceFixture, providers: readonly Plugin[], clock?: FakeClock): Skills {
    const skills = createSkills({
      plugins: [...providers, ...plugins], kinds, host: fakeHost({ ...host, ...(clock !== undefined && { clock }) }), onDiagnostic: () => {},
    })
    this.atEnd(() => skills.close())
    return skills
  }

  /** What fails here is the fixture, not the source. */
  async #unchecked<T>(what: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      return this.broken(`it could not be checked, because ${what}: ${messageOf(error)}`, error)
    }
  }
}

function hasAll<A extends StoreAbility>(store: SkillStore, abilities: readonly A[]): store is AbleStore<A> {
  return abilities.every(ability => store[ability] !== undefined)
}

/** A call that nobody aborts and whose progress nobody looks at. */
function quietCall(): { signal: AbortSignal; progress: () => void } {
  return { signal: new AbortController().signal, progress: () => {} }
}
