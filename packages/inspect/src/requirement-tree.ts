import { cyclesIn } from './cycles.js'
import { lookUpRequirement, mostProposals, requirementsOf, wayOut } from './requirement-lookup.js'
import type { Catalog, CatalogEntry } from '@skills/core'

/** Line of the tree: a name that a skill requires, and the skill with that name. */
export interface RequirementRow {
  /** Name as written in `requires`. */
  readonly wanted: string
  /** Number of steps from the root skill; its own requirements have 1. */
  readonly depth: number
  /**
   * `met`: its own requirements follow, one step deeper. `shown`: it stands above, with its requirements. `cycle`: it
   * is required by one of its own requirements. `missing`: no skill has the name. `ambiguous`: several skills have it.
   */
  readonly status: 'met' | 'shown' | 'cycle' | 'missing' | 'ambiguous'
  /** Skill with the name; undefined if missing or ambiguous. */
  readonly entry?: CatalogEntry | undefined
  /** For a cycle: the names from this one down to the one that requires it again. */
  readonly cycle?: readonly string[] | undefined
  /** For a missing or ambiguous name: one sentence that says what to do. */
  readonly hint?: string | undefined
}

export interface RequirementTree {
  /** From the top: a skill, all its requirements, then the next one. */
  readonly rows: readonly RequirementRow[]
  /** Number of rows above the limit. */
  readonly more: number
  /** One cycle of each group of skills that require each other, anywhere in the tree. Empty if there is none. */
  readonly cycles: readonly (readonly CatalogEntry[])[]
}

/**
 * Returns the requirements of a skill, the requirements of these skills, and so on. Each skill is expanded once. Takes
 * time in proportion to the number of requirements. See docs/reference/output.md, "Show output".
 * @param options.most most rows, 1,000 by default; cycles are found beyond them too
 */
export function requirementTree(
  catalog: Catalog,
  root: CatalogEntry,
  { most = 1000 }: { readonly most?: number | undefined } = {},
): RequirementTree {
  const rows: RequirementRow[] = []
  const graph = new Map<CatalogEntry, CatalogEntry[]>([[root, []]])
  // A chain may be longer than calls can nest, so the way down is a list.
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
