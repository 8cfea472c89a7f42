import type { Catalog } from '@skills/core'
import { allOnes, type Listed } from '@skills/inspect/internal'

/** Words for the states that are not counted as active. */
const words = {
  qualified: 'under a qualified name',
  shadowed: 'shadowed',
  duplicate: 'the same as another',
  disabled: 'disabled',
  failed: 'failed to load',
} as const satisfies Partial<Record<Listed['state'], string>>

/** State that {@link countsOfOthers} can count. */
export type OtherState = keyof typeof words

/** Returns how many skills have each of these states, in this order. Leaves out states without skills. */
export function countsOfOthers(
  catalog: Catalog,
  states: readonly OtherState[],
): readonly { readonly count: number; readonly words: string }[] {
  const all = allOnes(catalog)
  return states
    .map(state => ({ count: all.filter(one => one.state === state).length, words: words[state] }))
    .filter(({ count }) => count > 0)
}
