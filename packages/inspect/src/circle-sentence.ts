/** Names of a circle that are told. */
const mostNames = 12

/** What to do about a circle of requirements. */
export const circleHint = 'Take one of these names out of requires.'

/** A circle of requirements as one chain, as `a → b → a`; of a long one the middle is counted. */
export function circleChain(circle: readonly string[]): string {
  const names = [...circle, ...circle.slice(0, 1)]
  if (names.length <= mostNames) return names.join(' → ')
  return [...names.slice(0, mostNames - 2), `(${names.length - mostNames + 1} more)`, ...names.slice(-1)].join(' → ')
}

/** The same as a sentence. */
export function circleSentence(circle: readonly string[]): string {
  return circle.length === 1 ? `"${circle.join('')}" requires itself.` : `These skills require each other: ${circleChain(circle)}.`
}
