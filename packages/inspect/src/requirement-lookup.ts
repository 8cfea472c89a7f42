import { closestNames, SkillsError, type Catalog, type CatalogEntry } from '@skills/core'

/** Most unknown names for which the closest known names are searched; each search takes a pass over all names. */
export const mostProposals = 100

/** Returns the names that a skill requires, as written. */
export function requirementsOf({ command }: CatalogEntry): readonly string[] {
  return command.type === 'prompt' ? command.requires : []
}

/**
 * Looks up a required name in the same way as a name that a person types. Returns the entry, undefined if there is
 * none, or an error if several skills have the name.
 */
export function lookUpRequirement(catalog: Catalog, name: string): CatalogEntry | Error | undefined {
  try {
    return catalog.lookup(name)
  } catch (error) {
    if (SkillsError.is(error) && error.code === 'E_AMBIGUOUS_NAME') return error
    throw error
  }
}

/**
 * Returns the repair for a required name that no skill has.
 * @param entry skill that requires it, which is never proposed
 * @param catalog catalog to search for close names; undefined: no search
 */
export function wayOut(wanted: string, entry: CatalogEntry, catalog: Catalog | undefined): string {
  const close =
    catalog === undefined
      ? []
      : closestNames(
          wanted,
          catalog.entries.filter(other => other !== entry).map(({ name }) => name),
        )
  return close.length > 0 ? `Did you mean ${close.join(' or ')}?` : 'Add that skill, or remove the name from requires.'
}
