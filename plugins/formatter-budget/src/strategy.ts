import type { CatalogEntry } from '@skills/core'

/** Moves pinned entries to the front. The order is otherwise unchanged. */
export function pinnedFirst(entries: readonly CatalogEntry[]): readonly CatalogEntry[] {
  if (!entries.some(isPinned)) return entries
  return [...entries.filter(isPinned), ...entries.filter(entry => !isPinned(entry))]
}

export function isPinned({ override }: CatalogEntry): boolean {
  return override === 'pinned'
}

/** True if a skill comes with the program and is not pinned. */
export function isInCode({ command, override }: CatalogEntry): boolean {
  return command.source === 'bundled' && override !== 'pinned'
}

/** Moves skills that come with the program to the end, after those that a person installed. */
export function codeLast(entries: readonly CatalogEntry[]): readonly CatalogEntry[] {
  if (!entries.some(isInCode)) return entries
  return [...entries.filter(entry => !isInCode(entry)), ...entries.filter(isInCode)]
}
