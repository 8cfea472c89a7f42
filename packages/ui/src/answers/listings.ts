import { createSkills, SkillsError, type Catalog, type Override, type Skills } from '@skills/core'
import { distributionNamed, distributionNames } from '@skills/distributions/distribution-named'
import { toldListing } from '@skills/host/internal'
import { catalogWith } from '@skills/inspect/internal'
import { memoryState } from '@skills/state'
import { listingJson } from '../json/listing-json.js'
import { shownWindow, type ShownEngine } from './shown-engine.js'
import type { ListingJson, PageQuestion } from '../api.js'

/** Most engines of other agents that are kept; each has its own catalog. */
const mostEngines = 2

/**
 * Current listings, and listings as they would be for another agent, for another window, or with skills pinned or
 * switched off.
 */
export class EngineListings {
  readonly #own: ShownEngine
  readonly #signal: AbortSignal
  readonly #others = new Map<string, ShownEngine>()

  constructor(own: ShownEngine, signal: AbortSignal) {
    this.#own = own
    this.#signal = signal
  }

  agents(): readonly string[] {
    return distributionNames.filter(name => name !== this.#own.distribution.name)
  }

  async listing({
    agent,
    contextWindow = shownWindow,
    pinned = [],
    off = [],
  }: PageQuestion<'listing'>): Promise<ListingJson> {
    const engine = await this.#engineOf(agent)
    const overrides = new Map<string, Override>([
      ...pinned.map(name => [name, 'pinned'] as const),
      ...off.map(name => [name, 'off'] as const),
    ])
    const skills = overrides.size === 0 ? engine.skills : withOverrides(engine.skills, overrides)
    return listingJson(await toldListing({ ...engine, skills }, { contextWindow, signal: this.#signal }))
  }

  async close(): Promise<void> {
    await Promise.all([...this.#others.values()].map(({ skills }) => skills.close()))
  }

  async #engineOf(agent: string | undefined): Promise<ShownEngine> {
    if (agent === undefined || agent === this.#own.distribution.name) return this.#own
    const kept = this.#others.get(agent)
    if (kept !== undefined) {
      await kept.skills.refresh(undefined, { signal: this.#signal })
      return kept
    }
    if (!distributionNames.some(name => name === agent))
      throw new SkillsError('E_INVALID_OPTION', `There is no agent "${agent}".`)
    const [[oldest, old] = []] = this.#others
    if (oldest !== undefined && old !== undefined && this.#others.size >= mostEngines) {
      this.#others.delete(oldest)
      await old.skills.close()
    }
    // As in a comparison, nothing runs, so trust does not matter, and nothing is remembered.
    const distribution = (await distributionNamed(agent))({
      host: this.#own.skills.host,
      onDiagnostic: () => {},
      trust: { all: true },
      state: memoryState(),
      bundled: false,
    })
    const engine: ShownEngine = { ...this.#own, distribution, skills: createSkills(distribution) }
    this.#others.set(agent, engine)
    return engine
  }
}

/** Returns an engine whose catalog has these overrides, without reading anything again. */
function withOverrides(skills: Skills, overrides: ReadonlyMap<string, Override>): Skills {
  const changed = (catalog: Catalog): Catalog =>
    catalogWith(
      catalog,
      catalog.entries.flatMap(entry => {
        const override = overrides.get(entry.name)
        return override === 'off' ? [] : [override === undefined ? entry : { ...entry, override }]
      }),
    )
  return { ...skills, catalog: async options => changed(await skills.catalog(options)) }
}
