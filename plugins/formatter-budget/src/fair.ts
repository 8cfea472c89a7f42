import { deal, grown, readable } from './deal.js'
import { draftOf, lengthOf } from './draft.js'
import { explore } from './explore.js'
import { Lines } from './lines.js'
import { namesOnly } from './names-only.js'
import { ranked, type RankOptions } from './rank.js'
import { codeLast, isPinned } from './strategy.js'
import type { ListingEntry, Strategy } from '@skills/invocation/skill-tool'
import type { CatalogEntry } from '@skills/core'
import type { Line, LineOptions } from './line.js'

export interface FairOptions extends Omit<LineOptions, 'keeps'>, Pick<RankOptions, 'now'> {
  /**
   * Share of the places, and of the room for names, from 0 to 1, for entries that would not be shown otherwise, each in
   * its turn.
   */
  readonly floor: number
  /**
   * Graphemes of a readable description, including the mark of a shortened one. If there is less room for each, fewer
   * entries get a description.
   */
  readonly minShare: number
  /** Returns the recorded use of skills, or undefined if nothing is recorded. */
  use(): RankOptions['use']
  /** Returns the line about omitted skills, from their number and the name of the agent's search tool. */
  note(count: number, searchTool: string | undefined): string
}

/**
 * Lists everything if it fits. Otherwise the room for descriptions is divided evenly and used completely. Names are
 * omitted only if no description is left, and a line then says so. The listing never exceeds its budget. Skills in code
 * come last, so they are the first without a description and the first to be omitted. See docs/reference/listing.md,
 * "Listing".
 */
export function fair(given: FairOptions): Strategy {
  const options = { ...given, keeps: isPinned }
  const all = new Lines(options)
  const { minShare, floor, now } = options
  // The mark is one of the graphemes, as where every entry has the same share, so that there are not fewer here.
  const least = Math.max(0, minShare - 1)

  /** Gives these entries readable descriptions in their share of the budget if there is no room for descriptions. */
  function tell(explored: readonly CatalogEntry[], budget: number, standing: Map<string, ListingEntry>): void {
    const taken = [...standing.values()].reduce((sum, { text }) => sum + text.length + 1, 0)
    let room = Math.min(Math.floor(budget * floor), budget + 1 - taken)
    for (const entry of explored) {
      // Stops early, so that the descriptions of thousands of entries are not even read.
      if (room <= least) return
      const line = all.of(entry)
      const shown = line.show(grown(line, least))
      if (shown.shown === 'name') continue
      if (shown.text.length + 1 > room) return
      room -= shown.text.length + 1
      standing.set(entry.name, shown)
    }
  }

  return {
    order: entries => codeLast(ranked(entries, { use: options.use(), now })),
    lay(ordered, budget, { searchTool, step }) {
      const kept = all.kept(ordered, budget)
      const haveRoom = all.haveRoom(ordered, budget, kept)
      if (haveRoom && lengthOf(all.ofAll(ordered), ({ wholeLength }) => wholeLength) <= budget)
        return draftOf(all.ofAll(ordered), line => line.showWhole())
      const { entries, explored } = explore(ordered, { floor, step })
      if (!haveRoom) {
        const standing = new Map([...kept].map(([name, line]) => [name, line.showWhole()]))
        tell(
          entries.filter(({ name }) => explored.has(name)),
          budget,
          standing,
        )
        return namesOnly(entries, budget, { ...options, standing, note: count => options.note(count, searchTool) })
      }
      const lines = all.ofAll(entries)
      const sharing = lines.filter(({ name }) => !kept.has(name))
      const units = share(
        sharing,
        budget - lengthOf(lines, line => (kept.has(line.name) ? line.wholeLength : line.head.length)),
        least,
      )
      return draftOf(lines, line => (kept.has(line.name) ? line.showWhole() : line.show(units.get(line) ?? 0)))
    },
  }
}

function share(lines: readonly Line[], room: number, least: number): ReadonlyMap<Line, number> {
  const all = deal(lines, room)
  if (all.rounds >= least) return new Map(lines.map((line, at) => [line, all.units[at] ?? 0]))
  const isReadable = readable(lines, room, least)
  const chosen = lines.filter((_line, at) => isReadable[at])
  const { units } = deal(chosen, room)
  return new Map(chosen.map((line, at) => [line, units[at] ?? 0]))
}
