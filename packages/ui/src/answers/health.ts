import { checkEvalCases } from '@skills/evals/cases'
import { isAlmostSkill } from '@skills/files/internal'
import { lintFiles } from '@skills/inspect'
import { placeRepairOf } from '@skills/inspect/internal'
import { Invoker } from '@skills/invocation'
import { listingFor } from '@skills/invocation/internal'
import { mayUserInvoke, type Catalog, type CatalogEntry, type Diagnostic } from '@skills/core'
import { isOwn } from './own-skills.js'
import { shownWindow, type ShownEngine } from './shown-engine.js'
import type { Health, ListedCost, Repairable } from '../api.js'

/** Characters of a token, as the formatter counts by default. */
const charsPerToken = 4
/** Most files that are looked at for a repair, and most skills that are asked about trust. */
const mostLookedAt = 500

/**
 * Returns the state of all skills together: what each costs, what needs trust, what is nearly a skill, and what can be
 * repaired. Writes nothing.
 * @param files skill files that the page shows
 */
export async function healthOf(
  engine: ShownEngine,
  catalog: Catalog,
  files: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Omit<Health, 'moved'>> {
  const problems = [...catalog.errors, ...catalog.warnings]
  const flawed = [...new Set(problems.flatMap(({ path }) => (path !== undefined && files.has(path) ? path : [])))]
  const askable = catalog.entries.filter(({ command }) => isOwn(command.source) && mayUserInvoke(command))
  return {
    contextWindow: shownWindow,
    costs: await costsIn(engine, signal),
    needsTrust: await needingTrust(engine, askable.slice(0, mostLookedAt), signal),
    unasked: Math.max(0, askable.length - mostLookedAt),
    almost: await almostAmong(problems),
    repairs: await repairsOf(engine, flawed.slice(0, mostLookedAt), signal),
    unchecked: Math.max(0, flawed.length - mostLookedAt),
  }
}

async function almostAmong(problems: readonly Diagnostic[]): Promise<Health['almost']> {
  const found: Health['almost'][number][] = []
  for (const one of problems.filter(isAlmostSkill)) found.push({ ...one, to: (await placeRepairOf(one))?.to ?? null })
  return found
}

async function costsIn(engine: ShownEngine, signal: AbortSignal): Promise<readonly ListedCost[]> {
  const { entries } = await listingFor(engine, { contextWindow: shownWindow, signal })
  return entries.map(({ name, text }) => ({ name, tokens: Math.ceil((text.length + 1) / charsPerToken) }))
}

/** Returns the names of skills that would be refused because their folder is not trusted. */
async function needingTrust(
  { skills, distribution }: ShownEngine,
  entries: readonly CatalogEntry[],
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
  for (const entry of entries) if (await needs(entry)) found.push(entry.name)
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
