import { shownName, SkillsError, type Catalog, type CatalogEntry } from '@skills/core'
import { inQuotes, printableLine } from './printable.js'
import type { Explanation } from '@skills/core'

/**
 * Returns a sentence that says that no skill has the name, with the closest names. If not every skill was found, says
 * that and why.
 */
export function unknownSentence({
  query,
  suggestions,
  incomplete: [late],
}: Pick<Explanation, 'query' | 'suggestions' | 'incomplete'>): string {
  if (late !== undefined)
    return `No skill named ${inQuotes(query)} was found, but not every skill was found: ${printableLine(late.reason)}`
  const hint =
    suggestions.length > 0
      ? `Did you mean ${suggestions.map(name => shownName(name)).join(' or ')}?`
      : 'skills list shows every name.'
  return `There is no skill named ${inQuotes(query)}. ${hint}`
}

/**
 * Returns the entry that a name stands for.
 * @throws SkillsError `E_UNKNOWN_NAME` with what to type instead, or `E_AMBIGUOUS_NAME`
 */
export function entryNamed(catalog: Catalog, query: string): CatalogEntry {
  const found = catalog.lookup(query)
  if (found !== undefined) return found
  const { incomplete } = catalog
  throw new SkillsError('E_UNKNOWN_NAME', unknownSentence({ query, suggestions: catalog.suggest(query), incomplete }))
}
