import { printableLine } from './printable.js'

/** Names in one line that is safe to print: the first ones, and how many more there are. */
export function firstNames(all: readonly string[], most: number): string {
  const shown = all.slice(0, most).map(printableLine).join(', ')
  return all.length > most ? `${shown} and ${all.length - most} more` : shown
}
