import { argumentHintOf, descriptionOf, draftWith, nameOf, shownEntry, whenToUseOf } from './plain-entry.js'
import { pinnedFirst } from './strategy.js'
import type { Escape } from '@skills/invocation/internal'
import type { ListingEntry, Strategy } from '@skills/invocation/skill-tool'
import type { CatalogEntry } from '@skills/core'

/** Sources that are named after a description. */
const named: readonly string[] = ['user', 'project', 'managed']

/**
 * Lists whole entries in order, up to the first that does not fit. This entry and all entries after it are omitted. See
 * docs/reference/listing.md, "Listing".
 */
export function cutoff({ escape }: { readonly escape: Escape }): Strategy {
  return {
    order: pinnedFirst,
    lay(ordered, budget) {
      const shown: ListingEntry[] = []
      let room = budget
      for (const entry of ordered) {
        const line = lineOf(entry, escape)
        room -= line.text.length + 1
        if (room < 0) break
        shown.push(line)
      }
      return draftWith(
        shown.map(({ text }) => text).join('\n'),
        shown,
        ordered.slice(shown.length).map(({ name }) => name),
      )
    },
  }
}

function lineOf(entry: CatalogEntry, escape: Escape): ListingEntry {
  const description = descriptionOf(entry, escape)
  const { source } = entry.command
  const from = description !== '' && named.includes(source) ? ` (${source})` : ''
  const said = [description + from, whenToUseOf(entry, escape)].filter(part => part !== '').join(' - ')
  return shownEntry(
    entry,
    `- /${spaced(nameOf(entry, escape))} ${argumentHintOf(entry, escape)}`.trim() + (said === '' ? '' : `: ${said}`),
    { description },
  )
}

/** Quotes a name with spaces, because text after a space is the hint of the arguments. */
function spaced(name: string): string {
  return name.includes(' ') && !name.startsWith('"') ? `"${name}"` : name
}
