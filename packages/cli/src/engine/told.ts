import { reasonsUnder } from './reasons-under.js'
import type { CatalogEntry, Reason } from '@skills/core'
import type { Engine } from './engine-parts.js'
import type { Listing, SkillToolOptions } from '@skills/invocation/skill-tool'

/** Listing for a model, with the skills that it leaves out and why. */
export interface Told {
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
  readonly kept: readonly Kept[]
}

export interface Kept {
  readonly name: string
  readonly source: string
  readonly reasons: readonly Reason[]
}

/** Adds to a listing the source of each entry, and for all others the reasons why they are not listed. */
export async function toldOf(engine: Engine, told: Omit<Told, 'sources' | 'kept'>, signal: AbortSignal): Promise<Told> {
  const { entries } = await engine.skills.catalog({ signal })
  const { listing } = told
  const inIt = new Set([...listing.entries.map(({ name }) => name), ...listing.omitted])
  const kept: Kept[] = []
  for (const entry of entries)
    if (!inIt.has(entry.name))
      kept.push({ name: entry.name, source: entry.command.source, reasons: await reasonsFor(engine, entry, signal) })
  return { ...told, sources: new Map(entries.map(({ name, command }) => [name, command.source])), kept }
}

async function reasonsFor(engine: Engine, entry: CatalogEntry, signal: AbortSignal): Promise<readonly Reason[]> {
  const { name, command } = entry
  const { answers } = await engine.skills.explain(name, { signal })
  const answer = answers.find(one => one.command === command) ?? answers[0]
  return reasonsUnder(engine, entry, answer?.notListedBecause ?? [], { signal })
}
