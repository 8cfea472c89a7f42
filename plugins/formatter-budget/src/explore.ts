import { isInCode, isPinned } from './strategy.js'
import type { CatalogEntry } from '@skills/core'

/** Order in which some entries are moved forward for one step. */
export interface Explored {
  readonly entries: readonly CatalogEntry[]
  /** Names of the entries that have their turn. */
  readonly explored: ReadonlySet<string>
}

export interface ExploreOptions {
  /** Share of the places, from 0 to 1. */
  readonly floor: number
  /** Number of the step. Each step moves other entries forward. */
  readonly step: number
}

/**
 * Steps of this share of all entries are spread evenly in any run of steps, so that no entry waits long for its turn.
 */
const golden = (Math.sqrt(5) - 1) / 2

/**
 * Reserves a share of the places for entries that would otherwise not be shown, and chooses other entries in each step.
 * A skill that ranks last because it was never used is therefore shown sometimes and can be used. The reserved places
 * also change with each step, so that some are near the beginning of the order. Pinned entries stay first. Skills that
 * come with the program get no reserved place.
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
      // An entry that is placed already has its turn in its own place.
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
