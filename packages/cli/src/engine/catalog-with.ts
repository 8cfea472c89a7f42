import { Catalog, type CatalogEntry } from '@skills/core'

/** A catalog with these entries in the place of its own, for what looks at entries alone. */
export function catalogWith(
  { disabled, collisions, errors, warnings, places, incomplete }: Catalog,
  entries: readonly CatalogEntry[],
): Catalog {
  return new Catalog({ entries, disabled, collisions, errors, warnings, places, incomplete, overridden: [] }, new Map())
}
