import { oneLine, type Escape, type ListingEntry } from '@skills/skill-tool'
import type { CatalogEntry } from '@skills/core'
import type { Draft } from './strategy.js'

/** What a skill says, each part as one line that can pass for nothing else. */
export interface Said {
  readonly name: string
  /** Empty where there is none, or the configuration wants the name alone. */
  readonly description: string
  readonly whenToUse: string
  readonly argumentHint: string
}

export function saidBy({ name, command, override }: CatalogEntry, escape: Escape): Said {
  const isNameOnly = override === 'name-only'
  return {
    name: oneLine(name, escape),
    description: isNameOnly ? '' : oneLine(command.description, escape),
    whenToUse: isNameOnly || command.type !== 'prompt' ? '' : oneLine(command.whenToUse ?? '', escape),
    argumentHint: oneLine(command.argumentHint ?? '', escape),
  }
}

/** An entry that stands as it is, or loses something whatever room there is. */
export function shownEntry({ name, command }: CatalogEntry, text: string, { description, isCut = false }: { readonly description: string; readonly isCut?: boolean }): ListingEntry {
  const lacks = description === '' && command.description !== ''
  return { name, text, shown: lacks ? 'name' : isCut ? 'cut' : 'whole' }
}

/** @param text everything, the entries in it */
export function draftWith(text: string, entries: readonly ListingEntry[], omitted: readonly string[] = []): Draft {
  return { text, entries, omitted, truncated: entries.filter(({ shown }) => shown !== 'whole').map(({ name }) => name) }
}
