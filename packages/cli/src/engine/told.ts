import { reasonsUnder } from './reasons-under.js'
import type { CatalogEntry, Reason } from '@skills/core'
import type { Engine } from './engine-parts.js'
import type { Listing, SkillToolOptions } from '@skills/invocation/skill-tool'

/** What a model is told of the skills, and what not and why. */
export interface Told {
  /** To the letter; empty when there is nothing to tell. */
  readonly text: string
  /** Where a model reads it. */
  readonly place: NonNullable<SkillToolOptions['listingIn']>
  /** What the tool is called by which a model invokes skills. */
  readonly toolName: string
  readonly listing: Listing
  /** Tokens; undefined when it is not known. */
  readonly contextWindow: number | undefined
  /** By the name in the listing: where it comes from. */
  readonly sources: ReadonlyMap<string, string>
  /** Prompts that the listing does not even try to tell of. */
  readonly kept: readonly Kept[]
}

export interface Kept {
  readonly name: string
  readonly source: string
  readonly reasons: readonly Reason[]
}

/** Adds to a listing who is in it, and of everybody else the reasons why not. */
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
