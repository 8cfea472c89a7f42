import { printableLine } from './printable.js'

/** Returns the first names on one line that is safe to print, and how many more there are. */
export function firstNames(all: readonly string[], most: number): string {
  const shown = all.slice(0, most).map(printableLine).join(', ')
  return all.length > most ? `${shown} and ${all.length - most} more` : shown
}
