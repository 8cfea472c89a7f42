import { ListingRecord, skillReminder } from '@skills/invocation/skill-tool'
import { ownersIn, ToldSkills, type ToldCall, type ToldEngine, type ToldSkill } from '@skills/invocation/internal'
import type { Reason } from '@skills/core'
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
  /** Amount of each entry of the catalog that the model is told, by the name of the entry. */
  readonly told: ReadonlyMap<string, ToldSkill>
}

/**
 * Returns the listing that a model gets of an engine's skills. For every skill that is not in it, returns the reasons.
 */
export async function toldListing(
  engine: ToldEngine & { readonly distribution: Pick<Distribution, 'tool'> },
  { contextWindow, messages, signal }: ToldCall,
): Promise<ToldListing> {
  const {
    skills,
    distribution: {
      tool: { listingIn: place = 'reminder', name: toolName = 'Skill' },
    },
  } = engine
  const known = await ToldSkills.of(engine, { contextWindow, messages, signal })
  const { listing } = known
  const { entries } = await skills.catalog({ signal })
  const told = new Map<string, ToldSkill>()
  const kept: ToldListing['kept'][number][] = []
  for (const entry of entries) {
    const one = await known.told(entry)
    told.set(entry.name, one)
    if (!known.isCandidate(entry)) kept.push({ name: entry.name, source: entry.command.source, reasons: one.reasons })
  }
  return {
    text: place === 'reminder' ? reminderOf(listing, toolName) : listing.text,
    place,
    toolName,
    listing,
    contextWindow,
    sources: new Map([
      ...entries.map(({ name, command }): [string, string] => [name, command.source]),
      // Of a large source the listing may have what no catalog lists.
      ...[...ownersIn(listing)].map(([name, owner]): [string, string] => [name, owner.split('\0', 1)[0] ?? '']),
    ]),
    kept,
    told,
  }
}

/** Returns the text for the model, or an empty text if the listing has no entries. */
function reminderOf(listing: Listing, toolName: string): string {
  const news = new ListingRecord().next(listing)
  const content = news === undefined ? '' : skillReminder(news, { toolName }).content
  return typeof content === 'string' ? content : ''
}
