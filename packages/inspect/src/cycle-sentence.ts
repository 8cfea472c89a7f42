/** Names of a cycle that are told. */
const mostNames = 12

/** What to do about a cycle of requirements. */
export const cycleHint = 'Take one of these names out of requires.'

/** A cycle of requirements as one chain, as `a → b → a`; of a long one the middle is counted. */
export function cycleChain(cycle: readonly string[]): string {
  const names = [...cycle, ...cycle.slice(0, 1)]
  if (names.length <= mostNames) return names.join(' → ')
  return [...names.slice(0, mostNames - 2), `(${names.length - mostNames + 1} more)`, ...names.slice(-1)].join(' → ')
}

/** The same as a sentence. */
export function cycleSentence(cycle: readonly string[]): string {
  return cycle.length === 1
    ? `"${cycle.join('')}" requires itself.`
    : `These skills require each other: ${cycleChain(cycle)}.`
}
