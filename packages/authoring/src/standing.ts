import { realPathOf } from '@skills/files/internal'
import type { Catalog, CatalogEntry, Collision, Command } from '@skills/core'

/**
 * Place of a skill file in a catalog, with the commands that took its name and the commands that lost their name to it.
 */
export interface Standing {
  /** Name by which it is invoked; undefined if it has no name of its own, for example as a copy of another file. */
  readonly goesBy: string | undefined
  /** Collision in which it lost its plain name. */
  readonly lostTo: Collision | undefined
  /** Collisions in which others lost their name to it. */
  readonly wonOver: readonly Collision[]
  /** Other commands with its name as display name or alias, by which they can no longer be invoked. */
  readonly alsoNamed: readonly CatalogEntry[]
}

/**
 * Returns the place of a skill file in a catalog.
 * @param path path of the file, absolute
 * @returns undefined if the catalog does not have it: no source looks there, or it did not load
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
