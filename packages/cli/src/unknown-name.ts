import { inQuotes, printableLine } from './printable.js'
import type { Explanation } from '@skills/core'

/** That nobody has a name, and what may have been meant. */
export function unknownSentence({ query, suggestions }: Pick<Explanation, 'query' | 'suggestions'>): string {
  const hint = suggestions.length > 0 ? `Did you mean ${suggestions.map(printableLine).join(' or ')}?` : 'skills list shows every name.'
  return `There is no skill named ${inQuotes(query)}. ${hint}`
}
