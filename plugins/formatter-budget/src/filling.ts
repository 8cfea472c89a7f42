import { draftOf, lengthOf } from './draft.js'
import { Lines } from './lines.js'
import { codeLast, isInCode, isPinned, pinnedFirst } from './strategy.js'
import type { Line, LineOptions } from './line.js'
import type { Strategy } from '@skills/invocation/skill-tool'

/**
 * Lists every name, and skills that come with the program with their whole description. Then adds in order each whole
 * description that fits. See docs/reference/listing.md, "Listing".
 */
export function filling(given: Omit<LineOptions, 'keeps'>): Strategy {
  const keeps = (entry: Parameters<typeof isPinned>[0]): boolean => isPinned(entry) || isInCode(entry)
  const all = new Lines({ ...given, keeps })
  return {
    order: entries => pinnedFirst(codeLast(entries)),
    lay(ordered, budget) {
      const kept = all.kept(ordered, Infinity)
      const lines = all.ofAll(ordered)
      let room = budget - lengthOf(lines, line => (kept.has(line.name) ? line.wholeLength : line.head.length))
      const hasRoom = (line: Line): boolean => {
        const cost = line.wholeLength - line.head.length
        if (cost > room) return false
        room -= cost
        return true
      }
      return draftOf(lines, line => (kept.has(line.name) || hasRoom(line) ? line.showWhole() : line.show(0)))
    },
  }
}
