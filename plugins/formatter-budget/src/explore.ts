import { isInCode, isPinned } from './strategy.js'
import type { CatalogEntry } from '@skills/core'

/** An order in which some stand that would not have come so far, for as long as it is this step. */
export interface Explored {
  readonly entries: readonly CatalogEntry[]
  /** Names of those that have their turn. */
  readonly explored: ReadonlySet<string>
}

export interface ExploreOptions {
  /** Part of the places, from 0 to 1. */
  readonly floor: number
  /** Which of them: the next step has others. */
  readonly step: number
}

/** Starts this part of all entries apart are spread evenly in any run of steps, so no entry waits long for its turn. */
const golden = (Math.sqrt(5) - 1) / 2

/**
 * Keeps a part of the places for entries that would not come so far, others with each step: what ranks last because it
 * was never used is seen in its turn, and so can be used. The places move along, so that an order of which only the
 * first is seen has them as well. Pinned entries stay first; what comes with the program is never among them.
 */
export function explore(ordered: readonly CatalogEntry[], { floor, step }: ExploreOptions): Explored {
  const explored = new Set<string>()
  const candidates = ordered.filter(entry => !isPinned(entry) && !isInCode(entry))
  if (floor === 0 || candidates.length === 0) return { entries: ordered, explored }
  const first = ordered.findIndex(entry => !isPinned(entry))
  const entries = ordered.slice(0, first)
  const placed = new Set<CatalogEntry>(entries)
  const start = Math.floor(((step * golden) % 1) * candidates.length)
  let [at, next] = [first, 0]
  for (let place = step; entries.length < ordered.length; place++) {
    let turn: CatalogEntry | undefined
    if (Math.floor((place + 1) * floor) > Math.floor(place * floor)) {
      // One that came so far by itself has its turn where it stands.
      while (turn === undefined && next < candidates.length) {
        const one = candidates[(start + next++) % candidates.length] as CatalogEntry
        explored.add(one.name)
        if (!placed.has(one)) turn = one
      }
    }
    while (placed.has(ordered[at] as CatalogEntry)) at++
    const entry = turn ?? (ordered[at] as CatalogEntry)
    placed.add(entry)
    entries.push(entry)
  }
  return { entries, explored }
}
