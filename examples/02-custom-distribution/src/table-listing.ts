import { defineProvider, type CatalogEntry, type Provider } from '@skills/core'
import { oneLine, type Listing } from '@skills/invocation/skill-tool'

/** Formatter that lists the skills that the reader may see, one row of a table for each. */
export function tableListing(): Provider<'formatter', 'readership'> {
  return defineProvider({
    kind: 'formatter',
    id: 'table',
    wants: ['readership'],
    setup: ({ use }) => ({
      async format(entries, _context, { signal }) {
        const wanted: CatalogEntry[] = []
        for (const entry of entries) {
          const answers = await use('readership').each(readership => readership.isFor(entry.command), { signal })
          if (answers.every(({ value }) => value === true)) wanted.push(entry)
        }
        return listingOf(wanted)
      },
    }),
  })
}

function listingOf(entries: readonly CatalogEntry[]): Listing {
  // Each skill is one line without anything that ends a cell, so that no skill can pass for two.
  const cell = (text: string): string => oneLine(text).replaceAll('|', '\\|')
  const rows = entries.map(({ name, command }) => ({
    name,
    text: `| ${cell(name)} | ${cell(command.source)} | ${cell(command.description)} |`,
    shown: 'whole' as const,
  }))
  const text = rows.map(row => row.text).join('\n')
  return { text, entries: rows, omitted: [], truncated: [], budgetChars: Infinity, usedChars: text.length }
}
