import { deal, readable } from './deal.js'
import { draftOf, leastLength, lengthOf } from './draft.js'
import { lineMaker, type Line, type LineOptions } from './line.js'
import { namesOnly } from './names-only.js'
import { ranked, type RankOptions } from './rank.js'
import type { Strategy } from './strategy.js'

export interface FairOptions extends LineOptions, RankOptions {
  /** Graphemes, the mark of a shortened one included; with less than this for each there are fewer descriptions, so that those are readable. */
  readonly minShare: number
  /** The line about skills that found no room, by how many they are. */
  note(count: number): string
}

/**
 * Everything, where it fits; else the room for descriptions dealt evenly and used up; names are dropped last, and a line says so.
 * See docs/reference.md, "Listing".
 */
export function fair(options: FairOptions): Strategy {
  const linesOf = lineMaker(options)
  const { minShare } = options
  return {
    order: entries => ranked(entries, options),
    lay(ordered, budget) {
      const lines = linesOf(ordered)
      const room = budget - lengthOf(lines, leastLength)
      if (room < 0) return namesOnly(lines, budget, count => options.note(count))
      if (lengthOf(lines, ({ wholeLength }) => wholeLength) <= budget) return draftOf(lines, line => line.showWhole())
      const sharing = lines.filter(({ keepsWhole }) => !keepsWhole)
      const units = share(sharing, room, minShare)
      return draftOf(lines, line => line.keepsWhole ? line.showWhole() : line.show(units.get(line) ?? 0))
    },
  }
}

function share(lines: readonly Line[], room: number, minShare: number): ReadonlyMap<Line, number> {
  const all = deal(lines, room)
  // The mark is one of them, as it is where each has the same share: there must not be less here than there.
  const least = Math.max(0, minShare - 1)
  if (all.rounds >= least) return new Map(lines.map((line, at) => [line, all.units[at] ?? 0]))
  const isReadable = readable(lines, room, least)
  const chosen = lines.filter((_line, at) => isReadable[at])
  const { units } = deal(chosen, room)
  return new Map(chosen.map((line, at) => [line, units[at] ?? 0]))
}
