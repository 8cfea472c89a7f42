import { draftOf, lengthOf } from './draft.js'
import { Lines } from './lines.js'
import { namesOnly } from './names-only.js'
import { isInCode, isPinned, pinnedFirst } from './strategy.js'
import type { Draft, Strategy } from '@skills/invocation/skill-tool'
import type { LineOptions } from './line.js'

export interface ProportionalOptions extends Omit<LineOptions, 'keeps'> {
  /**
   * True if skills in code and pinned ones keep their descriptions even if these alone exceed the budget, as in Claude
   * Code.
   */
  readonly mayExceed: boolean
  /** UTF-16 code units. With a smaller share only names are listed. */
  readonly minShare: number
}

/**
 * Lists everything if it fits. Otherwise each description gets an equal share of the room, or only names are listed.
 * See docs/reference/listing.md, "Listing".
 */
export function proportional({ minShare, mayExceed, ...given }: ProportionalOptions): Strategy {
  const options: LineOptions = { ...given, keeps: entry => isPinned(entry) || isInCode(entry) }
  const all = new Lines(options)
  return {
    order: pinnedFirst,
    lay(ordered, budget) {
      const kept = all.kept(ordered, mayExceed ? Infinity : budget)
      const names = (): Draft =>
        namesOnly(ordered, budget, {
          ...options,
          standing: new Map([...kept].map(([name, line]) => [name, line.showWhole()])),
        })
      if (!all.haveRoom(ordered, budget, kept)) return names()
      const lines = all.ofAll(ordered)
      if (lengthOf(lines, ({ wholeLength }) => wholeLength) <= budget) return draftOf(lines, line => line.showWhole())
      const sharing = lines.filter(({ name, description }) => !kept.has(name) && description !== '')
      // The fixed cost of a line is its name and the colon before the description.
      const room =
        budget -
        lengthOf(lines, line => (kept.has(line.name) ? line.wholeLength : line.head.length)) -
        sharing.length * ': '.length
      const share = Math.floor(room / sharing.length)
      if (share < Math.max(1, minShare)) return names()
      return draftOf(lines, line => (kept.has(line.name) ? line.showWhole() : line.showWithin(share)))
    },
  }
}
