import { allOnes, type Listed } from '../engine/listed.js'
import type { Catalog } from '@skills/core'

/** What is not counted among the active ones, as it is told in a sentence of counts. */
const words = {
  qualified: 'under a qualified name',
  shadowed: 'shadowed',
  duplicate: 'the same as another',
  disabled: 'disabled',
  failed: 'failed to load',
} as const satisfies Partial<Record<Listed['state'], string>>

/** A state that {@link countsOfOthers} has words for. */
export type OtherState = keyof typeof words

/** How many skills are in each of these states, in this order and by the states of a list, without the empty states. */
export function countsOfOthers(
  catalog: Catalog,
  states: readonly OtherState[],
): readonly { readonly count: number; readonly words: string }[] {
  const all = allOnes(catalog)
  return states
    .map(state => ({ count: all.filter(one => one.state === state).length, words: words[state] }))
    .filter(({ count }) => count > 0)
}
