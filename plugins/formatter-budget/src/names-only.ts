import { draftOf } from './draft.js'
import type { Draft } from './strategy.js'
import type { Line } from './line.js'

/**
 * Names, as many as have room; one that has none leaves its room to a later one. What keeps its description keeps its place too.
 * @param budget UTF-16 code units
 * @param note what the text says of those it leaves out, by how many they are. It counts, and is left out where it is longer than the budget
 */
export function namesOnly(lines: readonly Line[], budget: number, note?: (count: number) => string): Draft {
  const others = lines.filter(({ keepsWhole }) => !keepsWhole)
  const noteLength = note === undefined ? 0 : Math.max(note(1).length, note(others.length).length)
  const hasNote = noteLength > 0 && noteLength <= budget
  let room = budget + 1 - (hasNote ? noteLength + 1 : 0)
  for (const line of lines) if (line.keepsWhole) room -= line.wholeLength + 1
  const shown = new Set<Line>()
  for (const line of others) {
    const cost = line.head.length + 1
    if (cost > room) continue
    room -= cost
    shown.add(line)
  }
  const left = others.length - shown.size
  return draftOf(lines, line => line.keepsWhole ? line.showWhole() : shown.has(line) ? line.show(0) : undefined, hasNote && left > 0 ? note?.(left) : undefined)
}
