import { beyondAscii } from './name.js'
import { isOwnLook, isSameWord, looksOf, oddityOf, plainLookOf, shownName } from './name-look.js'
import type { CatalogEntry } from './command.js'

/** Sentence that says what a name could be taken for. */
export interface Doubt {
  readonly code: 'misleading-name' | 'case-collision'
  readonly text: string
}

/**
 * Finds entries whose name, display name or alias can be taken for another, each with the sentence that says why. Of
 * names that look alike, the one in plain ASCII stays, else the first. Linear in the number of names; most of them are
 * tested with two patterns only.
 * @param byName the same entries
 */
export function doubtfulNames(
  entries: readonly CatalogEntry[],
  byName: ReadonlyMap<string, CatalogEntry>,
): ReadonlyMap<CatalogEntry, Doubt> {
  const doubts = new Map<CatalogEntry, Doubt>()
  const byLook = new Map<string, CatalogEntry>()
  const holderOf = (look: string): CatalogEntry | undefined => byLook.get(look) ?? byName.get(look)
  let ranks: ReadonlyMap<CatalogEntry, number> | undefined
  const comesFirst = (one: CatalogEntry, other: CatalogEntry): boolean => {
    ranks ??= new Map(entries.map((entry, at) => [entry, at]))
    return (ranks.get(one) ?? 0) < (ranks.get(other) ?? 0)
  }
  const doubt = (entry: CatalogEntry, text: string, code: Doubt['code'] = 'misleading-name'): unknown =>
    doubts.has(entry) || doubts.set(entry, { code, text })

  const unusual = entries.filter(({ name }) => !isOwnLook(name))
  const isBeyond = ({ name }: CatalogEntry): boolean => beyondAscii.test(name)
  for (const entry of unusual.some(isBeyond)
    ? [...unusual.filter(one => !isBeyond(one)), ...unusual.filter(isBeyond)]
    : unusual) {
    const { name } = entry
    const only = plainLookOf(name)
    if (only !== undefined && holderOf(only) === undefined) {
      byLook.set(only, entry)
      continue
    }
    const oddity = oddityOf(name)
    if (oddity !== undefined) doubt(entry, `Its name ${shownName(name)} ${oddity}.`)
    for (const look of looksOf(name)) {
      const holder = holderOf(look)
      if (holder === entry) continue
      const isHolder =
        holder === undefined ||
        (oddity === undefined && !beyondAscii.test(name) && !doubts.has(entry) && comesFirst(entry, holder))
      if (isHolder) byLook.set(look, entry)
      const [loser, winner] = isHolder ? [holder, entry] : [entry, holder]
      if (loser === undefined) continue
      if (isSameWord(loser.name, winner.name))
        doubt(loser, `"${loser.name}" and "${winner.name}" differ in case only.`, 'case-collision')
      else
        doubt(
          loser,
          `Its name ${shownName(loser.name, true)} looks like ${shownName(winner.name)} of ${winner.command.source}.`,
        )
    }
  }
  for (const entry of entries) {
    const {
      command: { name, displayName, aliases },
    } = entry
    if (displayName === name && aliases.length === 0) continue
    for (const other of [displayName, ...aliases]) {
      const holder = looksOf(other)
        .map(holderOf)
        .find(one => one !== undefined && one !== entry && !isSameWord(one.name, other))
      if (holder !== undefined)
        doubt(
          entry,
          `It also goes by ${shownName(other, true)}, which looks like ${shownName(holder.name)} of ${holder.command.source}.`,
        )
    }
  }
  return doubts
}
