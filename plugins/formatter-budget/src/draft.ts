import type { Draft, ListingEntry } from '@skills/invocation/skill-tool'
import type { Line } from './line.js'

/** Each of the lines as `show` has it. */
export function draftOf(lines: readonly Line[], show: (line: Line) => ListingEntry): Draft {
  const entries: ListingEntry[] = []
  const truncated: string[] = []
  for (const line of lines) {
    const entry = show(line)
    entries.push(entry)
    // One that has no description to show lost nothing.
    if (entry.shown === 'cut' || (entry.shown === 'name' && line.description !== '')) truncated.push(line.name)
  }
  return { text: entries.map(({ text }) => text).join('\n'), entries, omitted: [], truncated }
}

/** UTF-16 code units that lines of these lengths take, each on a line of its own. */
export function lengthOf(lines: readonly Line[], length: (line: Line) => number): number {
  let sum = 0
  for (const line of lines) sum += length(line) + 1
  return Math.max(0, sum - 1)
}
