import { draftOf, lengthOf } from './draft.js'
import { Lines } from './lines.js'
import { namesOnly } from './names-only.js'
import { pinnedFirst, type Strategy } from './strategy.js'
import type { LineOptions } from './line.js'

export interface ProportionalOptions extends LineOptions {
  /** UTF-16 code units; with a smaller share than this there are names only. */
  readonly minShare: number
}

/** Everything, where it fits; else an equal share of the room for each description; else names. See docs/reference.md, "Listing". */
export function proportional({ minShare, ...options }: ProportionalOptions): Strategy {
  const all = new Lines(options)
  return {
    order: pinnedFirst,
    lay(ordered, budget) {
      if (!all.haveRoom(ordered, budget)) return namesOnly(ordered, budget, all, options)
      const lines = all.ofAll(ordered)
      if (lengthOf(lines, ({ wholeLength }) => wholeLength) <= budget) return draftOf(lines, line => line.showWhole())
      const sharing = lines.filter(({ keepsWhole, description }) => !keepsWhole && description !== '')
      // What a line costs whatever its share is: its name, and the colon before the description.
      const room = budget - lengthOf(lines, ({ leastLength }) => leastLength) - sharing.length * ': '.length
      const share = Math.floor(room / sharing.length)
      if (share < Math.max(1, minShare)) return namesOnly(ordered, budget, all, options)
      return draftOf(lines, line => line.keepsWhole ? line.showWhole() : line.showWithin(share))
    },
  }
}
