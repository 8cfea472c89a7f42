import type { Draft, ListingEntry } from '@skills/invocation/skill-tool'
import type { Line } from './line.js'

/** Makes a draft of the lines with the entries that `show` returns. */
export function draftOf(lines: readonly Line[], show: (line: Line) => ListingEntry): Draft {
  const entries: ListingEntry[] = []
  const truncated: string[] = []
  for (const line of lines) {
    const entry = show(line)
    entries.push(entry)
    // An entry without a description is not truncated.
    if (entry.shown === 'cut' || (entry.shown === 'name' && line.description !== '')) truncated.push(line.name)
  }
  return { text: entries.map(({ text }) => text).join('\n'), entries, omitted: [], truncated }
}

/** Returns the total length of lines in UTF-16 code units, with line breaks between them. */
export function lengthOf(lines: readonly Line[], length: (line: Line) => number): number {
  let sum = 0
  for (const line of lines) sum += length(line) + 1
  return Math.max(0, sum - 1)
}
