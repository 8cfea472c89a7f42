import { shownName } from '@skills/core'
import { inQuotes, printableLine } from './printable.js'
import type { Explanation } from '@skills/core'

/** Says that no skill has the name, with the closest names; or that not every skill was found, and why. */
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
