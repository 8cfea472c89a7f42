import { besidesName, headOf, isDescribed, type LineOptions } from './line.js'
import type { CatalogEntry } from '@skills/core'
import type { Draft, ListingEntry } from '@skills/invocation/skill-tool'

export interface NamesOnlyOptions extends LineOptions {
  /** Entries with a description, by name. They get their room before the others. */
  readonly standing: ReadonlyMap<string, ListingEntry>
  /**
   * Returns the text about a number of omitted entries. It counts towards the budget, and is left out if it is longer
   * than the budget.
   */
  readonly note?: ((count: number) => string) | undefined
}

/** Names that are not changed by the formatting of a line. */
const unchanged = /^[!-;=?-~]+$/

/**
 * Lists as many names as fit. If a name does not fit, a later, shorter name may. Entries that keep their description
 * also keep their place. For an entry that does not fit, no line is made and its description is not read, because there
 * may be a hundred thousand such entries.
 * @param budget UTF-16 code units
 */
export function namesOnly(entries: readonly CatalogEntry[], budget: number, options: NamesOnlyOptions): Draft {
  const { note, standing } = options
  const nameAlone = { ...options, showsDisplayName: false }
  let room = budget + 1
  for (const { text } of standing.values()) room -= text.length + 1
  const noteLength = note === undefined ? 0 : Math.max(note(1).length, note(entries.length - standing.size).length)
  const hasNote = noteLength > 0 && noteLength < room
  if (hasNote) room -= noteLength + 1
  const shown: ListingEntry[] = []
  const omitted: string[] = []
  const truncated: string[] = []
  for (const entry of entries) {
    const { name } = entry
    const own = standing.get(name)
    if (own !== undefined) {
      shown.push(own)
      if (own.shown === 'cut') truncated.push(name)
      continue
    }
    const hasNone = room < besidesName || (name.length + besidesName > room && unchanged.test(name))
    const text = hasNone ? '' : headOf(entry, nameAlone)
    if (hasNone || text.length + 1 > room) {
      omitted.push(name)
      continue
    }
    room -= text.length + 1
    shown.push({ name, text, shown: 'name' })
    if (isDescribed(entry, options)) truncated.push(name)
  }
  const texts = shown.map(({ text }) => text)
  if (hasNote && omitted.length > 0 && note !== undefined) texts.push(note(omitted.length))
  return { text: texts.join('\n'), entries: shown, omitted, truncated }
}
