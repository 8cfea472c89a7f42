import { Catalog, type CatalogEntry } from '@skills/core'

/** Returns a catalog with other entries, for code that reads only the `entries` of a catalog. */
export function catalogWith(
  { disabled, collisions, errors, warnings, places, incomplete }: Catalog,
  entries: readonly CatalogEntry[],
): Catalog {
  return new Catalog({ entries, disabled, collisions, errors, warnings, places, incomplete, overridden: [] }, new Map())
}
