import type { Catalog } from '@skills/core'
import type { Check } from './check.js'

/** Catalogs of an engine while a store or server is slow, and after it has answered. */
export interface Meanwhile {
  readonly catalog: Catalog
  /** Names of the provider's commands that were listed before, as they are invoked. */
  readonly provider: string
  /** Catalog after the answer. */
  readonly known: readonly string[]
  /** A catalog of the time when it answered. */
  readonly whole: Catalog
  readonly when: string
}

/**
 * Checks the rule about slow stores and servers, which is the same for every source. While a source waits, the commands
 * of other sources and the commands that it listed before stay in the catalog. The catalog reports the delay as an
 * error, as incomplete, or in the note of a place. The caller decides how long a list may wait before that.
 */
export function expectToldAndKept(check: Check, { catalog, provider, known, whole, when }: Meanwhile): void {
  if (catalog.get('neighbour') === undefined) check.broken(`${when}, a source beside it lost its commands.`)
  const lost = known.find(name => catalog.get(name) === undefined)
  if (lost !== undefined)
    check.broken(
      `${when}, "${lost}", which was known, is gone. Say that what you give is incomplete: loadResult({ commands, incomplete: '…' }).`,
    )
  const notes = catalog.places.filter(
    ({ path, note }) => note !== undefined && !whole.places.some(place => place.path === path && place.note === note),
  )
  if (notes.length > 0 || [...catalog.errors, ...catalog.incomplete].some(problem => problem.provider === provider))
    return
  check.broken(
    `${when}, the source gave a list and did not say that it had no answer: with no error, not as incomplete, and in the note of no place.`,
  )
}
