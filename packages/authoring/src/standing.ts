import { realPathOf } from '@skills/files/internal'
import type { Catalog, CatalogEntry, Collision, Command } from '@skills/core'

/** What a skill file is in a catalog, and whom it displaces or is displaced by. */
export interface Standing {
  /** What it is invoked by; undefined when it has no name of its own, as a copy of another. */
  readonly goesBy: string | undefined
  /** Why it has not got its plain name, and who has. */
  readonly lostTo: Collision | undefined
  /** Those that lost their name to it. */
  readonly wonOver: readonly Collision[]
  /** Other commands that answer to its name as well, by their display name or an alias, and no longer do. */
  readonly alsoNamed: readonly CatalogEntry[]
}

/**
 * How a skill file fares among all others.
 * @param path of the file, absolute
 * @returns undefined when the catalog does not have it: no source looks there, or it did not load
 */
export function standingOf(catalog: Catalog, path: string): Standing | undefined {
  const real = realPathOf(path)
  const isIt = (command: Command): boolean =>
    command.type === 'prompt' && command.file !== undefined && command.file.realPath === real
  const entry = catalog.entries.find(({ command }) => isIt(command))
  const lostTo = catalog.collisions.find(({ loser }) => isIt(loser.command))
  if (entry === undefined && lostTo === undefined) return undefined
  return {
    goesBy: entry?.name,
    lostTo,
    wonOver: catalog.collisions.filter(({ winner }) => isIt(winner.command)),
    alsoNamed:
      entry === undefined || entry.isQualified
        ? []
        : catalog.entries.filter(
            other => other !== entry && !other.isQualified && answersTo(other.command, entry.name),
          ),
  }
}

function answersTo({ displayName, aliases }: Command, name: string): boolean {
  return displayName === name || aliases.includes(name)
}
