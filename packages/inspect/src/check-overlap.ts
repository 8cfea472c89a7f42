import { wordOverlap, wordsOf } from './word-overlap.js'
import type { AskOptions, Catalog, Diagnostic } from '@skills/core'

/** From here on a model has hardly a word to choose by. */
const alike = 0.8
/** Fewer words say so little that any two of them look alike. */
const leastWords = 10

/** Skills whose names and descriptions say nearly the same, so that a model cannot tell which one is meant. */
export async function checkOverlap(catalog: Catalog, { signal }: AskOptions): Promise<readonly Diagnostic[]> {
  const { pairs } = await wordOverlap(catalog, { least: alike, signal })
  const isLong = new Map(catalog.entries.map(entry => [entry.name, wordsOf(entry).length >= leastWords]))
  const told = new Set<string>()
  // One finding a skill, about the one that is nearest: a dozen copies are not a hundred findings.
  return pairs.flatMap(({ one, other, overlap }): readonly Diagnostic[] => {
    if (told.has(other.name) || isLong.get(one.name) !== true || isLong.get(other.name) !== true) return []
    told.add(other.name)
    return [
      {
        severity: 'warning',
        type: 'validation',
        code: 'overlapping-description',
        name: other.name,
        ...(other.path !== undefined && { path: other.path }),
        message: `Its name and description share ${Math.round(overlap * 100)} % of their words with those of "${one.name}".`,
        hint: 'Say in both what each is for and the other is not, or remove one: a model cannot tell them apart.',
      },
    ]
  })
}
