import { draftOf, leastLength, lengthOf } from './draft.js'
import { lineMaker, type LineOptions } from './line.js'
import { namesOnly } from './names-only.js'
import { pinnedFirst, type Strategy } from './strategy.js'

export interface ProportionalOptions extends LineOptions {
  /** UTF-16 code units; with a smaller share than this there are names only. */
  readonly minShare: number
}

/** Everything, where it fits; else an equal share of the room for each description; else names. See docs/reference.md, "Listing". */
export function proportional({ minShare, ...options }: ProportionalOptions): Strategy {
  const linesOf = lineMaker(options)
  return {
    order: pinnedFirst,
    lay(ordered, budget) {
      const lines = linesOf(ordered)
      const least = lengthOf(lines, leastLength)
      if (least > budget) return namesOnly(lines, budget)
      if (lengthOf(lines, ({ wholeLength }) => wholeLength) <= budget) return draftOf(lines, line => line.showWhole())
      const sharing = lines.filter(({ keepsWhole, description }) => !keepsWhole && description !== '')
      // What a line costs whatever its share is: its name, and the colon before the description.
      const share = Math.floor((budget - least - sharing.length * ': '.length) / sharing.length)
      if (share < Math.max(1, minShare)) return namesOnly(lines, budget)
      return draftOf(lines, line => line.keepsWhole ? line.showWhole() : line.showWithin(share))
    },
  }
}
