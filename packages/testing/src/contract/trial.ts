import {
  createSkills,
  loadResult,
  type Catalog,
  type Kind,
  type LoadResult,
  type PromptCommand,
  type Plugin,
  type Provider,
  type Skills,
  type Source,
} from '@skills/core'
import { fakeHost } from '../fake-host.js'
import { Check } from './check.js'
import { promptNamed } from './reading.js'
import { sample } from './samples.js'
import type { ContractRule } from './contract-rule.js'
import type { FakeClock } from '../fake-clock.js'
import type { Lack, MakeFixture, ReadCounter, SampleSkill, SkillStore, SourceFixture, StoreAbility } from './fixture.js'

/** Rule of the contract that every source must satisfy. */
export type SourceRule = ContractRule<Trial, Lack>

export interface StartedSource {
  /** The source, as an engine has set it up. */
  readonly source: Source
  /** Returns what it lists. A failure breaks the rule. */
  list(): Promise<LoadResult>
  /** Returns what refresh() gives. A failure breaks the rule, and so does a source without refresh(). */
  refresh(paths?: readonly string[]): Promise<LoadResult | undefined>
}

export interface EngineOptions {
  readonly clock?: FakeClock
  readonly plugins?: readonly Plugin[]
}

/** Store that has these abilities. */
export type AbleStore<A extends StoreAbility> = SkillStore & Required<Pick<SkillStore, A>>

/** One check of one rule about sources. Makes the fixtures and engines for it. */
export class Trial extends Check<MakeFixture> {
  /** Makes a new fixture with these skills in its store. */
  async fixture(skills: readonly SampleSkill[] = []): Promise<SourceFixture> {
    const fixture = await this.made(async () => this.make())
    if (skills.length > 0) await this.unchecked('put() failed', async () => fixture.store.put(skills))
    return fixture
  }

  /** Starts a source with one skill and returns the command of that skill. */
  async one(skill = sample('alpha')): Promise<StartedSource & SourceFixture & { readonly command: PromptCommand }> {
    const fixture = await this.fixture([skill])
    const started = await this.start(fixture)
    const command = promptNamed(this, await started.list(), skill.name, 'With one skill')
    return { ...fixture, ...started, command }
  }

  /** Starts to count reads of a store. */
  counting({ store }: SourceFixture): ReadCounter {
    const counter = this.able(store, 'countReads').countReads()
    this.atEnd(() => counter.stop())
    return counter
  }

  /** Returns the catalog of an engine. A failure breaks the rule. */
  catalog(skills: Skills): Promise<Catalog> {
    return this.answer('catalog()', () => skills.catalog())
  }

  /** Returns the store if it has these abilities, else breaks the rule. */
  able<A extends StoreAbility>(store: SkillStore, ...abilities: readonly A[]): AbleStore<A> {
    const missing = abilities.find(ability => store[ability] === undefined)
    if (hasAll(store, abilities)) return store
    return this.lacking('store', String(missing))
  }

  /** Makes an engine with the source of a fixture and the providers that it needs. */
  engine(fixture: SourceFixture, { clock, plugins = [] }: EngineOptions = {}): Skills {
    return this.#engine(fixture, [fixture.provider, ...plugins], clock)
  }

  /** Makes an engine with these sources, which need nothing else. */
  engineOf(...sources: readonly Provider<'source'>[]): Skills {
    return this.#engine({}, sources)
  }

  /**
   * Sets up the source of a fixture. The engine that does so lists another source, so that only the rule asks this one.
   */
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
      refresh: paths =>
        this.answer('refresh()', async () => {
          if (started.refresh !== undefined) return started.refresh(paths, quietCall())
          return this.lacking('source', 'refresh')
        }),
    }
  }

  #engine(
    { host, plugins = [], kinds = [] }: Pick<SourceFixture, 'host' | 'plugins' | 'kinds'>,
    providers: readonly Plugin[],
    clock?: FakeClock,
  ): Skills {
    const skills = createSkills({
      plugins: [...providers, ...plugins],
      kinds,
      host: fakeHost({ ...host, ...(clock !== undefined && { clock }) }),
      onDiagnostic: () => {},
    })
    this.atEnd(() => skills.close())
    return skills
  }
}

function hasAll<A extends StoreAbility>(store: SkillStore, abilities: readonly A[]): store is AbleStore<A> {
  return abilities.every(ability => store[ability] !== undefined)
}

/** Makes a call without progress. Without a signal, the call is never aborted. */
export function quietCall(signal: AbortSignal = new AbortController().signal): {
  signal: AbortSignal
  progress: () => void
} {
  return { signal, progress: () => {} }
}
