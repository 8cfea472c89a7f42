import type { ListingEntry } from '@skills/skill-tool'
import type { Draft } from './strategy.js'
import type { Line } from './line.js'

/** Each of the lines as `show` has it. */
export function draftOf(lines: readonly Line[], show: (line: Line) => ListingEntry | undefined, note?: string): Draft {
  const entries: ListingEntry[] = []
  const omitted: string[] = []
  const truncated: string[] = []
  for (const line of lines) {
    const entry = show(line)
    if (entry === undefined) {
      omitted.push(line.name)
      continue
    }
    entries.push(entry)
    // One that has no description to show lost nothing.
    if (entry.shown === 'cut' || (entry.shown === 'name' && line.description !== '')) truncated.push(line.name)
  }
  const texts = entries.map(({ text }) => text)
  return { text: (note === undefined ? texts : [...texts, note]).join('\n'), entries, omitted, truncated }
}

/** UTF-16 code units that lines of these lengths take, each on a line of its own. */
export function lengthOf(lines: readonly Line[], length: (line: Line) => number): number {
  let sum = 0
  for (const line of lines) sum += length(line) + 1
  return Math.max(0, sum - 1)
}

/** UTF-16 code units of the shortest line that a line may become. */
export function leastLength(line: Line): number {
  return line.keepsWhole ? line.wholeLength : line.head.length
}
