import { createSkills, SkillsError, type Catalog, type Override, type Skills } from '@skills/core'
import { distributionNamed, distributionNames } from '@skills/distributions/distribution-named'
import { memoryState } from '@skills/state'
import { enginePort, ListingRecord, skillReminder, type Listing } from '@skills/invocation/skill-tool'
import { catalogWith } from '../../engine/catalog-with.js'
import { listingJson } from '../listing/text.js'
import { toldOf } from '../../engine/told.js'
import type { PageQuestion } from '@skills/ui'
import type { ListingJson } from '@skills/ui/internal'
import type { Engine } from '../../engine/engine-parts.js'

/** Most engines of other agents that are kept; each has its own catalog. */
const mostEngines = 2

/** Current listings, and listings for another agent or window, or with skills pinned or switched off. */
export class UiListings {
  readonly #own: Engine
  readonly #signal: AbortSignal
  readonly #others = new Map<string, Engine>()

  constructor(own: Engine, signal: AbortSignal) {
    this.#own = own
    this.#signal = signal
  }

  async agents(): Promise<readonly string[]> {
    return distributionNames.filter(name => name !== this.#own.distribution.name)
  }

  async listing({ agent, contextWindow, pinned = [], off = [] }: PageQuestion<'listing'>): Promise<ListingJson> {
    const engine = await this.#engineOf(agent)
    const {
      port,
      tool: { listingIn: place = 'reminder', name: toolName = 'Skill' },
    } = engine.distribution
    const overrides = new Map<string, Override>([
      ...pinned.map(name => [name, 'pinned'] as const),
      ...off.map(name => [name, 'off'] as const),
    ])
    const skills = overrides.size === 0 ? engine.skills : withOverrides(engine.skills, overrides)
    const signal = this.#signal
    const listing = await enginePort(skills, port).listing(
      { contextWindow, ...(port.leavesOutDenied === 'agents' && { agentId: 'main' }) },
      { signal },
    )
    const text = place === 'reminder' ? reminderOf(listing, toolName) : listing.text
    return listingJson(await toldOf({ ...engine, skills }, { listing, text, place, toolName, contextWindow }, signal))
  }

  async close(): Promise<void> {
    await Promise.all([...this.#others.values()].map(({ skills }) => skills.close()))
  }

  async #engineOf(agent: string | undefined): Promise<Engine> {
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
    const { precedence = [] } = distribution
    const engine: Engine = { ...this.#own, distribution, skills: createSkills(distribution), sources: precedence }
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

/** Returns the text for the model, or an empty text if the listing has no entries. */
function reminderOf(listing: Listing, toolName: string): string {
  const news = new ListingRecord().next(listing)
  const content = news === undefined ? '' : skillReminder(news, { toolName }).content
  return typeof content === 'string' ? content : ''
}
