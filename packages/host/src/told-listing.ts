import { enginePort, ListingRecord, skillReminder } from '@skills/invocation/skill-tool'
import { reasonsUnder, type RuledEngine } from './reasons-under.js'
import type { CatalogEntry, Reason } from '@skills/core'
import type { Distribution } from '@skills/distributions'
import type { Listing, SkillToolOptions } from '@skills/invocation/skill-tool'

/** Listing for a model, with the skills that it leaves out and the reasons. */
export interface ToldListing {
  /** Exact text; empty if the listing has no entries. */
  readonly text: string
  /** Place where a model reads the text. */
  readonly place: NonNullable<SkillToolOptions['listingIn']>
  /** Name of the tool by which a model invokes skills. */
  readonly toolName: string
  readonly listing: Listing
  /** Size in tokens; undefined if it is not known. */
  readonly contextWindow: number | undefined
  /** Source of each entry, by its name in the listing. */
  readonly sources: ReadonlyMap<string, string>
  /** Prompts that are not candidates for the listing, such as those that a flag or rule excludes. */
  readonly kept: readonly { readonly name: string; readonly source: string; readonly reasons: readonly Reason[] }[]
}

/**
 * Returns the listing that a model gets of an engine's skills. For every skill that is not in it, returns the reasons.
 */
export async function toldListing(
  engine: RuledEngine & { readonly distribution: Pick<Distribution, 'tool'> },
  contextWindow: number | undefined,
  signal: AbortSignal | undefined,
): Promise<ToldListing> {
  const {
    skills,
    distribution: {
      port,
      tool: { listingIn: place = 'reminder', name: toolName = 'Skill' },
    },
  } = engine
  // A strategy that leaves out what an agent is denied always needs an agent.
  const listing = await enginePort(skills, port).listing(
    { contextWindow, ...(port.leavesOutDenied === 'agents' && { agentId: 'main' }) },
    { signal },
  )
  const { entries } = await skills.catalog({ signal })
  const inIt = new Set([...listing.entries.map(({ name }) => name), ...listing.omitted])
  const kept: ToldListing['kept'][number][] = []
  for (const entry of entries)
    if (!inIt.has(entry.name))
      kept.push({ name: entry.name, source: entry.command.source, reasons: await reasonsFor(engine, entry, signal) })
  return {
    text: place === 'reminder' ? reminderOf(listing, toolName) : listing.text,
    place,
    toolName,
    listing,
    contextWindow,
    sources: new Map(entries.map(({ name, command }) => [name, command.source])),
    kept,
  }
}

async function reasonsFor(
  engine: RuledEngine,
  entry: CatalogEntry,
  signal: AbortSignal | undefined,
): Promise<readonly Reason[]> {
  const { name, command } = entry
  const { answers } = await engine.skills.explain(name, { signal })
  const answer = answers.find(one => one.command === command) ?? answers[0]
  return reasonsUnder(engine, entry, answer?.notListedBecause ?? [], signal)
}

/** Returns the text for the model, or an empty text if the listing has no entries. */
function reminderOf(listing: Listing, toolName: string): string {
  const news = new ListingRecord().next(listing)
  const content = news === undefined ? '' : skillReminder(news, { toolName }).content
  return typeof content === 'string' ? content : ''
}
