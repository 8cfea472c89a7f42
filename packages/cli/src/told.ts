import type { CatalogEntry, Reason, Skills } from '@skills/core'
import type { Listing } from '@skills/skill-tool'

/** What a model is told of the skills, and what not and why. */
export interface Told {
  /** To the letter; empty when there is nothing to tell. */
  readonly text: string
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
export async function toldOf({ skills, listing, text, contextWindow }: Pick<Told, 'listing' | 'text' | 'contextWindow'> & { readonly skills: Skills }, signal: AbortSignal): Promise<Told> {
  const { entries } = await skills.catalog({ signal })
  const inIt = new Set([...listing.entries.map(({ name }) => name), ...listing.omitted])
  const kept: Kept[] = []
  for (const entry of entries) if (!inIt.has(entry.name)) kept.push({ name: entry.name, source: entry.command.source, reasons: await reasonsFor(skills, entry, signal) })
  return { text, listing, contextWindow, sources: new Map(entries.map(({ name, command }) => [name, command.source])), kept }
}

async function reasonsFor(skills: Skills, { name, command }: CatalogEntry, signal: AbortSignal): Promise<readonly Reason[]> {
  const { answers } = await skills.explain(name, { signal })
  const answer = answers.find(one => one.command === command) ?? answers[0]
  return answer?.notListedBecause ?? []
}
