import { closestNames, SkillsError, type Catalog, type CatalogEntry } from '@skills/core'

/** Wrong names for which the closest right ones are looked for; each costs a pass over all names. */
export const mostProposals = 100

/** What a skill says that it requires, as written. */
export function requirementsOf({ command }: CatalogEntry): readonly string[] {
  return command.type === 'prompt' ? command.requires : []
}

/** What a required name means, as if a person had called it: a command, none, or an error that names several. */
export function lookUpRequirement(catalog: Catalog, name: string): CatalogEntry | Error | undefined {
  try {
    return catalog.lookup(name)
  } catch (error) {
    if (SkillsError.is(error) && error.code === 'E_AMBIGUOUS_NAME') return error
    throw error
  }
}

/**
 * What to do about a required name that no skill has.
 * @param entry the skill that requires it, which it does not mean
 * @param catalog where to look for close names, if they are to be looked for
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
