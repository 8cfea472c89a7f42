import type { ListingJson } from '../src/api.js'

/** Stretch of the bar: one entry, or neighbours of one kind that would be too thin to point at. */
export interface Stretch {
  readonly shown: 'whole' | 'cut' | 'name'
  readonly chars: number
  readonly names: readonly string[]
}

/** Most stretches. More would be thinner than a pixel. */
const most = 300

/** Returns the entries of a listing as stretches in order. If there are too many, neighbours of one kind are joined. */
export function stretchesOf({ entries, usedChars }: Pick<ListingJson, 'entries' | 'usedChars'>): readonly Stretch[] {
  const least = entries.length > most ? usedChars / most : 0
  const stretches: { shown: Stretch['shown']; chars: number; names: string[] }[] = []
  for (const { name, shown, chars } of entries) {
    const last = stretches.at(-1)
    if (last !== undefined && last.shown === shown && last.chars < least) {
      last.chars += chars
      last.names.push(name)
    } else stretches.push({ shown, chars, names: [name] })
  }
  return stretches
}
