import { deal, readable } from './deal.js'
import { draftOf, lengthOf } from './draft.js'
import { Lines } from './lines.js'
import { namesOnly } from './names-only.js'
import { ranked, type RankOptions } from './rank.js'
import type { Line, LineOptions } from './line.js'
import type { Strategy } from './strategy.js'

export interface FairOptions extends LineOptions, Pick<RankOptions, 'floor' | 'now'> {
  /** Graphemes, the mark of a shortened one included; with less than this for each there are fewer descriptions, so that those are readable. */
  readonly minShare: number
  /** What is known of the use of skills at this moment; undefined where nothing is. */
  use(): RankOptions['use']
  /** The line about skills that found no room, by how many they are. */
  note(count: number): string
}

/**
 * Everything, where it fits; else the room for descriptions dealt evenly and used up; names are dropped last, and a line says so.
 * See docs/reference.md, "Listing".
 */
export function fair(options: FairOptions): Strategy {
  const all = new Lines(options)
  const { minShare, floor, now } = options
  return {
    order: entries => ranked(entries, { use: options.use(), floor, now }),
    lay(ordered, budget) {
      if (!all.haveRoom(ordered, budget)) return namesOnly(ordered, budget, all, options)
      const lines = all.ofAll(ordered)
      if (lengthOf(lines, ({ wholeLength }) => wholeLength) <= budget) return draftOf(lines, line => line.showWhole())
      const sharing = lines.filter(line => !line.keepsWhole)
      const units = share(sharing, budget - lengthOf(lines, ({ leastLength }) => leastLength), minShare)
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
