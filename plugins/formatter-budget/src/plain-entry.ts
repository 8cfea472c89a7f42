import { shownName, type CatalogEntry } from '@skills/core'
import { oneLine, type ListingEntry, type Draft } from '@skills/invocation/skill-tool'
import type { Escape } from '@skills/invocation/internal'

// The texts of a skill, each on one line that cannot imitate anything else. Empty if there is none, or if the
// configuration wants only the name.

export function nameOf({ name, doubt }: CatalogEntry, escape: Escape): string {
  return oneLine(shownName(name, doubt !== undefined), escape)
}

export function descriptionOf({ command, override }: CatalogEntry, escape: Escape): string {
  return override === 'name-only' ? '' : lineOf(command.description, escape)
}

export function whenToUseOf({ command, override }: CatalogEntry, escape: Escape): string {
  return override === 'name-only' || command.type !== 'prompt' ? '' : lineOf(command.whenToUse, escape)
}

export function argumentHintOf({ command }: CatalogEntry, escape: Escape): string {
  return lineOf(command.argumentHint, escape)
}

/** Puts a text on one line. Most skills have no such text. */
function lineOf(text: string | undefined, escape: Escape): string {
  return text === undefined || text === '' ? '' : oneLine(text, escape)
}

/** Makes an entry whose length does not depend on the budget: it is whole, or cut to the same length at any budget. */
export function shownEntry(
  { name, command }: CatalogEntry,
  text: string,
  { description, isCut = false }: { readonly description: string; readonly isCut?: boolean },
): ListingEntry {
  const lacks = description === '' && command.description !== ''
  return { name, text, shown: lacks ? 'name' : isCut ? 'cut' : 'whole' }
}

/**
 * Makes a draft from a whole text and its entries.
 * @param text whole text, including the entries
 */
export function draftWith(text: string, entries: readonly ListingEntry[], omitted: readonly string[] = []): Draft {
  return { text, entries, omitted, truncated: entries.filter(({ shown }) => shown !== 'whole').map(({ name }) => name) }
}
