import { checkEvalCases } from '@skills/evals/cases'
import { isAlmostSkill } from '@skills/files/internal'
import { toldListing } from '@skills/host/internal'
import { lintFiles } from '@skills/inspect'
import { Invoker } from '@skills/invocation'
import { mayUserInvoke, type Catalog, type CatalogEntry } from '@skills/core'
import { isOwn } from './own-skills.js'
import type { Health, Repairable, ToldShare } from '../api.js'
import type { ShownEngine } from './shown-engine.js'

/** Tokens of the window for which the listing is made, as in a comparison of agents. */
const contextWindow = 200_000
/** Characters of a token, as the formatter counts by default. */
const charsPerToken = 4
/** Most files that are looked at for a repair, and most skills that are asked about trust. */
const mostLookedAt = 500

/**
 * Returns the state of all skills together: what the listing has of each, what needs trust, what is nearly a skill, and
 * what can be repaired. Writes nothing.
 * @param files skill files that the page shows
 */
export async function healthOf(
  engine: ShownEngine,
  catalog: Catalog,
  files: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Health> {
  const problems = [...catalog.errors, ...catalog.warnings]
  const flawed = [...new Set(problems.flatMap(({ path }) => (path !== undefined && files.has(path) ? path : [])))]
  return {
    contextWindow,
    told: await toldIn(engine, signal),
    needsTrust: await needingTrust(engine, catalog, signal),
    almost: problems.filter(isAlmostSkill),
    repairs: await repairsOf(engine, flawed.slice(0, mostLookedAt), signal),
    unchecked: Math.max(0, flawed.length - mostLookedAt),
  }
}

async function toldIn(engine: ShownEngine, signal: AbortSignal): Promise<readonly ToldShare[]> {
  const { listing } = await toldListing(engine, contextWindow, signal)
  return [
    ...listing.entries.map(({ name, shown, text }) => ({
      name,
      shown,
      tokens: Math.ceil((text.length + 1) / charsPerToken),
    })),
    ...listing.omitted.map(name => ({ name, shown: 'omitted' as const, tokens: 0 })),
  ]
}

/** Returns the names of skills that would be refused because their folder is not trusted. */
async function needingTrust(
  { skills, distribution }: ShownEngine,
  { entries }: Catalog,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const invoker = new Invoker(skills, distribution.invoker)
  const needs = async (entry: CatalogEntry): Promise<boolean> => {
    const { behavior, decisionReason } = await invoker.decideBeforeAsking(
      { tool: 'Skill', content: entry.name, entry, args: '', caller: 'user' },
      signal,
    )
    return behavior === 'deny' && decisionReason.type === 'trust'
  }
  const found: string[] = []
  const asked = entries.filter(({ command }) => isOwn(command.source) && mayUserInvoke(command))
  for (const entry of asked.slice(0, mostLookedAt)) if (await needs(entry)) found.push(entry.name)
  return found
}

async function repairsOf(
  { skills }: ShownEngine,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly Repairable[]> {
  const linted = await lintFiles(paths, { signal, beside: checkEvalCases, fields: { words: skills.words } })
  return linted.files.flatMap(({ path, isRepairable, diagnostics }) =>
    isRepairable
      ? {
          name: path.split('/').at(-2) ?? path,
          path,
          problems: diagnostics.filter(({ severity }) => severity !== 'info').map(({ message }) => message),
        }
      : [],
  )
}
