import type { CatalogEntry } from '@skills/core'

/** The entries whose configuration wants them first, then the others as they were. */
export function pinnedFirst(entries: readonly CatalogEntry[]): readonly CatalogEntry[] {
  if (!entries.some(isPinned)) return entries
  return [...entries.filter(isPinned), ...entries.filter(entry => !isPinned(entry))]
}

export function isPinned({ override }: CatalogEntry): boolean {
  return override === 'pinned'
}

/** Whether it comes with the program and is not pinned. */
export function isInCode({ command, override }: CatalogEntry): boolean {
  return command.source === 'bundled' && override !== 'pinned'
}

/** What comes with the program stands last: what a person has installed comes first. */
export function codeLast(entries: readonly CatalogEntry[]): readonly CatalogEntry[] {
  if (!entries.some(isInCode)) return entries
  return [...entries.filter(entry => !isInCode(entry)), ...entries.filter(isInCode)]
}
