import { pathOf, type Catalog, type CatalogEntry, type Diagnostic } from '@skills/core'
import { locateKey } from '@skills/skill-md/internal'
import { readWholeFile } from '@skills/files'
import { cycleHint, cycleSentence } from './cycle-sentence.js'
import { cyclesIn } from './cycles.js'
import { lookUpRequirement, mostProposals, requirementsOf, wayOut } from './requirement-lookup.js'

interface Need {
  readonly entry: CatalogEntry
  readonly wanted: string
  /** Index in `requires`. */
  readonly at: number
}

/**
 * Checks whether required skills exist. A name that no skill has is a warning; a cycle is an error. Takes time in
 * proportion to skills and requirements. See docs/reference/lint.md, "Lint".
 * @throws AbortError if the signal aborts
 */
export async function checkRequirements(
  catalog: Catalog,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<readonly Diagnostic[]> {
  const graph = new Map<CatalogEntry, readonly CatalogEntry[]>()
  const found: Diagnostic[] = []
  let proposals = 0
  for (const entry of catalog.entries) {
    const needs = requirementsOf(entry).map((wanted, at): Need => ({ entry, wanted, at }))
    if (needs.length === 0) continue
    const met: CatalogEntry[] = []
    for (const need of needs) {
      const other = lookUpRequirement(catalog, need.wanted)
      if (other !== undefined && !(other instanceof Error)) met.push(other)
      else found.push(await describeUnmet(need, other, ++proposals <= mostProposals ? catalog : undefined, signal))
    }
    graph.set(entry, met)
  }
  for (const cycle of cyclesIn(graph)) found.push(await describeCycle(cycle, signal))
  return found
}

/** @param catalog catalog to search for close names; undefined: no search */
async function describeUnmet(
  { entry, wanted, at }: Need,
  ambiguous: Error | undefined,
  catalog: Catalog | undefined,
  signal: AbortSignal | undefined,
): Promise<Diagnostic> {
  return {
    severity: 'warning',
    type: 'validation',
    code: 'missing-requirement',
    name: entry.name,
    ...pathOf(entry.command),
    ...(await placeOf(entry, at, signal)),
    field: 'requires',
    ...(ambiguous === undefined
      ? { message: `The skill requires "${wanted}", but no skill has that name.`, hint: wayOut(wanted, entry, catalog) }
      : { message: `The skill requires "${wanted}", but several skills have that name.`, hint: ambiguous.message }),
  }
}

async function describeCycle(cycle: readonly CatalogEntry[], signal: AbortSignal | undefined): Promise<Diagnostic> {
  const [first] = cycle
  if (first === undefined) throw new TypeError('A cycle has at least one skill.')
  const at = requirementsOf(first).indexOf((cycle[1] ?? first).name)
  return {
    severity: 'error',
    type: 'validation',
    code: 'requirement-cycle',
    name: first.name,
    ...pathOf(first.command),
    ...(await placeOf(first, Math.max(0, at), signal)),
    field: 'requires',
    message: cycleSentence(cycle.map(({ name }) => name)),
    hint: cycleHint,
  }
}

/** Returns line and column of one requirement. Reads the file only here, because only a problem needs them. */
async function placeOf(
  { command }: CatalogEntry,
  at: number,
  signal: AbortSignal | undefined,
): Promise<{ line?: number; column?: number }> {
  const { path } = pathOf(command)
  const file = path === undefined ? undefined : await readWholeFile(path, { signal })
  if (file === undefined || 'problem' in file) return {}
  const place = locateKey(file.bytes.toString('utf8'), ['requires', at])
  return place === undefined ? {} : { line: place.line, column: place.valueColumn ?? place.column }
}
