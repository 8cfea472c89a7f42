import { descriptionOf, draftWith, nameOf, shownEntry, whenToUseOf } from './plain-entry.js'
import { pinnedFirst } from './strategy.js'
import type { Escape } from '@skills/invocation/internal'
import type { ListingEntry, Strategy } from '@skills/invocation/skill-tool'
import type { CatalogEntry } from '@skills/core'

const forBoth = 'Skills that the user can invoke with a slash, and you with the tool:'
const forModel = 'Skills that only you can invoke:'
const last = 'Call the `skill` tool with the name of a skill to have its instructions.'

/**
 * Lists skills as Markdown in two groups. Each skill has a line that says when to use it. See
 * docs/reference/listing.md, "Listing".
 */
export function grouped({ escape }: { readonly escape: Escape }): Strategy {
  const isForUser = ({ command }: CatalogEntry): boolean => command.userInvocable
  return {
    order: entries => {
      const ordered = pinnedFirst(entries)
      return [...ordered.filter(isForUser), ...ordered.filter(entry => !isForUser(entry))]
    },
    lay(ordered) {
      if (ordered.length === 0) return draftWith('', [])
      const entries = ordered.map(entry => entryOf(entry, escape))
      const split = ordered.filter(isForUser).length
      const group = (heading: string, some: readonly ListingEntry[]): readonly string[] =>
        some.length === 0 ? [] : [heading, ...some.map(({ text }) => text)]
      return draftWith(
        [
          '# Available Skills',
          '',
          ...group(forBoth, entries.slice(0, split)),
          ...group(forModel, entries.slice(split)),
          last,
        ].join('\n'),
        entries,
      )
    },
  }
}

function entryOf(entry: CatalogEntry, escape: Escape): ListingEntry {
  const description = descriptionOf(entry, escape)
  const whenToUse = whenToUseOf(entry, escape)
  const head = `- **${entry.command.userInvocable ? '/' : ''}${nameOf(entry, escape)}**`
  const line = description === '' ? head : `${head}: ${description}`
  const text = whenToUse === '' ? line : `${line}\n  When to use: ${whenToUse}`
  return shownEntry(entry, text, { description })
}
