import { isPinned, pinnedFirst } from './strategy.js'
import type { CatalogEntry } from '@skills/core'

/** Number of invocations of a skill, and the time of the last one. */
export interface Use {
  readonly count: number
  /** Milliseconds since the epoch. */
  readonly lastUsed: number
}

export interface RankOptions {
  /** Returns the use of a skill, or undefined for an unused one. Undefined if no use is recorded. */
  readonly use: ((name: string) => Use | undefined) | undefined
  /** Milliseconds since the epoch. */
  now(): number
}

const week = 7 * 24 * 3600 * 1000
const leastWeight = 0.1

/**
 * Returns the score of a skill by its use. The score halves with each week since the last invocation, down to a tenth.
 */
export function scoreOf({ count, lastUsed }: Use, now: number): number {
  const score = count * Math.max(0.5 ** (Math.max(0, now - lastUsed) / week), leastWeight)
  return score > 0 ? score : 0
}

/** Sorts entries: pinned entries first, then the most used, then the others. Entries of equal rank keep their order. */
export function ranked(entries: readonly CatalogEntry[], { use, now }: RankOptions): readonly CatalogEntry[] {
  if (use === undefined) return pinnedFirst(entries)
  const pinned: CatalogEntry[] = []
  const used: { readonly entry: CatalogEntry; readonly score: number }[] = []
  const unused: CatalogEntry[] = []
  const time = now()
  for (const entry of entries) {
    if (isPinned(entry)) {
      pinned.push(entry)
      continue
    }
    const known = use(entry.name)
    const score = known === undefined ? 0 : scoreOf(known, time)
    if (score > 0) used.push({ entry, score })
    else unused.push(entry)
  }
  if (pinned.length + used.length === 0) return entries
  return pinned.concat(
    used.sort((a, b) => b.score - a.score).map(({ entry }) => entry),
    unused,
  )
}
