import { cyclesIn } from './cycles.js'
import { lookUpRequirement, mostProposals, requirementsOf, wayOut } from './requirement-lookup.js'
import type { Catalog, CatalogEntry } from '@skills/core'

/** One line of the tree: a name that a skill requires, and what it stands for. */
export interface RequirementRow {
  /** As written in `requires`. */
  readonly wanted: string
  /** How many steps it is from the skill asked about; what that one requires itself has 1. */
  readonly depth: number
  /**
   * `met`: what it requires in turn follows, one step deeper. `shown`: it stands above, with what it requires. `cycle`:
   * it is required by what it requires. `missing`: no skill has the name. `ambiguous`: several answer to it.
   */
  readonly status: 'met' | 'shown' | 'cycle' | 'missing' | 'ambiguous'
  /** What has the name; undefined when missing or ambiguous. */
  readonly entry?: CatalogEntry | undefined
  /** Of a cycle: the names from this one down to the one that requires it again. */
  readonly cycle?: readonly string[] | undefined
  /** Of what is missing or ambiguous: one sentence, what to do. */
  readonly hint?: string | undefined
}

export interface RequirementTree {
  /** From the top: a skill, all that it requires, then the next one. */
  readonly rows: readonly RequirementRow[]
  /** Rows beyond the most that were asked for. */
  readonly more: number
  /** One cycle of each group of skills that require each other, wherever in the tree it is; empty when all is well. */
  readonly cycles: readonly (readonly CatalogEntry[])[]
}

/**
 * What a skill requires, and what that requires in turn. Each skill's own requirements are followed once. Takes time in
 * proportion to the requirements there are. See docs/reference/output.md, "Show output".
 * @param options.most rows at most, 1,000 by default; cycles are found beyond them too
 */
export function requirementTree(
  catalog: Catalog,
  root: CatalogEntry,
  { most = 1000 }: { readonly most?: number | undefined } = {},
): RequirementTree {
  const rows: RequirementRow[] = []
  const graph = new Map<CatalogEntry, CatalogEntry[]>([[root, []]])
  // A chain may be longer than calls may nest, so the way down is a list.
  const way = [{ entry: root, needs: requirementsOf(root), next: 0 }]
  const onWay = new Map([[root, 0]])
  let more = 0
  let proposals = 0
  for (let step = way.at(-1); step !== undefined; step = way.at(-1)) {
    const { entry } = step
    const wanted = step.needs[step.next++]
    if (wanted === undefined) {
      way.pop()
      onWay.delete(entry)
      continue
    }
    const depth = way.length
    const add = (rowOf: () => Omit<RequirementRow, 'wanted' | 'depth'>): void => {
      if (rows.length < most) rows.push({ wanted, depth, ...rowOf() })
      else more++
    }
    const found = lookUpRequirement(catalog, wanted)
    if (found === undefined) {
      add(() => ({
        status: 'missing',
        hint: wayOut(wanted, entry, ++proposals <= mostProposals ? catalog : undefined),
      }))
      continue
    }
    if (found instanceof Error) {
      add(() => ({ status: 'ambiguous', hint: found.message }))
      continue
    }
    graph.get(entry)?.push(found)
    const above = onWay.get(found)
    if (above !== undefined)
      add(() => ({ status: 'cycle', entry: found, cycle: way.slice(above).map(one => one.entry.name) }))
    else if (graph.has(found)) add(() => ({ status: 'shown', entry: found }))
    else {
      add(() => ({ status: 'met', entry: found }))
      graph.set(found, [])
      onWay.set(found, way.length)
      way.push({ entry: found, needs: requirementsOf(found), next: 0 })
    }
  }
  return { rows, more, cycles: cyclesIn(graph) }
}
