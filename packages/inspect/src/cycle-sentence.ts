/** Most names of a cycle that are printed. */
const mostNames = 12

/** Repair of a cycle of requirements. */
export const cycleHint = 'Remove one of these names from requires.'

/**
 * Returns a cycle of requirements as one chain, such as `a → b → a`. For a long cycle, the names in the middle are
 * replaced by their number.
 */
export function cycleChain(cycle: readonly string[]): string {
  const names = [...cycle, ...cycle.slice(0, 1)]
  if (names.length <= mostNames) return names.join(' → ')
  return [...names.slice(0, mostNames - 2), `(${names.length - mostNames + 1} more)`, ...names.slice(-1)].join(' → ')
}

/** Returns a cycle of requirements as a sentence. */
export function cycleSentence(cycle: readonly string[]): string {
  return cycle.length === 1
    ? `"${cycle.join('')}" requires itself.`
    : `These skills require each other: ${cycleChain(cycle)}.`
}
