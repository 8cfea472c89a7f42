import { deal, readable } from './deal.js'
import { draftOf, lengthOf } from './draft.js'
import { Lines } from './lines.js'
import { namesOnly } from './names-only.js'
import { ranked, type RankOptions } from './rank.js'
import { codeLast, isPinned, type Strategy } from './strategy.js'
import type { Line, LineOptions } from './line.js'

export interface FairOptions extends Omit<LineOptions, 'keeps'>, Pick<RankOptions, 'floor' | 'now'> {
  /** Graphemes, the mark of a shortened one included; with less than this for each there are fewer descriptions, so that those are readable. */
  readonly minShare: number
  /** What is known of the use of skills at this moment; undefined where nothing is. */
  use(): RankOptions['use']
  /** The line about skills that found no room, by how many they are, and what the agent searches for them with. */
  note(count: number, searchTool: string | undefined): string
}

/**
 * Everything, where it fits; else the room for descriptions dealt evenly and used up; names are dropped last, and a line
 * says so. Never over its budget. Skills in code come last: they are the first to go without a description, and then without
 * a line. See docs/reference.md, "Listing".
 */
export function fair(given: FairOptions): Strategy {
  const options = { ...given, keeps: isPinned }
  const all = new Lines(options)
  const { minShare, floor, now } = options
  return {
    order: entries => codeLast(ranked(entries, { use: options.use(), floor, now })),
    lay(ordered, budget, searchTool) {
      const kept = all.kept(ordered, budget)
      if (!all.haveRoom(ordered, budget, kept)) return namesOnly(ordered, budget, all, { ...options, kept, note: count => options.note(count, searchTool) })
      const lines = all.ofAll(ordered)
      if (lengthOf(lines, ({ wholeLength }) => wholeLength) <= budget) return draftOf(lines, line => line.showWhole())
      const sharing = lines.filter(({ name }) => !kept.has(name))
      const units = share(sharing, budget - lengthOf(lines, line => kept.has(line.name) ? line.wholeLength : line.head.length), minShare)
      return draftOf(lines, line => kept.has(line.name) ? line.showWhole() : line.show(units.get(line) ?? 0))
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
