import { shownName } from '@skills/core'
import type { ToldListing } from '@skills/host/internal'
import { printableLine } from '../../output/printable.js'
import { columnOf, nameColumn, pad } from '../../output/width.js'
import { styleOf } from '../../output/style.js'
import type { Invocation } from '../../arguments/invocation.js'
import type { Io } from '../../io.js'

/** Words for how much of an entry is in the listing. */
const shownWords = { whole: 'whole', cut: 'cut', name: 'name only' }

/**
 * Prints the size of each skill in the listing, largest first, then skills without room, and skills denied by a rule
 * with that rule. A table for people, lines for programs.
 */
export function printCosts(
  { listing, sources, kept }: ToldListing,
  { isColorless }: Invocation,
  { stdout, env }: Io,
): void {
  const costs = listing.entries.map(({ name, text, shown }) => ({ name, chars: text.length, shown: shownWords[shown] }))
  const denied = kept.flatMap(({ name, reasons }) =>
    reasons
      .filter(({ cause }) => cause === 'permission')
      .slice(0, 1)
      .map(({ text }) => ({ name, chars: 0, shown: `denied: ${printableLine(text)}` })),
  )
  const all = [
    ...costs.toSorted((a, b) => b.chars - a.chars),
    ...listing.omitted.map(name => ({ name, chars: 0, shown: 'left out' })),
    ...denied,
  ]
  const rows = all.map(({ name, chars, shown }) => ({
    name: shownName(name),
    source: printableLine(sources.get(name) ?? ''),
    chars: `${chars}`,
    shown,
  }))
  if (!stdout.isTerminal) {
    stdout.write(rows.map(({ name, source, chars, shown }) => `${[name, source, chars, shown].join('\t')}\n`).join(''))
    return
  }
  if (rows.length === 0) return
  const style = styleOf(stdout, env, isColorless)
  const { title, names } = nameColumn(
    rows.map(({ name }) => name),
    stdout.columns,
  )
  const sourceCells = columnOf(['SOURCE', ...rows.map(({ source }) => source)])
  const charCells = columnOf(['CHARS', ...rows.map(({ chars }) => chars)])
  const lines = rows.map(({ source, chars, shown }, at) =>
    [style.bold(names[at] ?? ''), pad(source, sourceCells), chars.padStart(charCells), shown].join('  '),
  )
  stdout.write(
    `${[style.dim([title, pad('SOURCE', sourceCells), 'CHARS'.padStart(charCells), 'SHOWN'].join('  ')), ...lines].join('\n')}\n`,
  )
}
