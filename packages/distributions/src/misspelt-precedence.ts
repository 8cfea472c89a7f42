import { closestNames, type Diagnostic } from '@skills/core'

/**
 * Words that a host gave for the order of sources and that stand in the place of one that the distribution has: the
 * words of other sources are as good as any.
 */
export function misspeltPrecedence(given: readonly string[] = [], own: readonly string[]): readonly Diagnostic[] {
  const missing = own.filter(word => !given.includes(word))
  return given
    .filter(word => !own.includes(word))
    .flatMap(word =>
      closestNames(word, missing, 1).map(close => ({
        severity: 'warning',
        type: 'validation',
        code: 'unknown-precedence',
        name: word,
        message: `The precedence names "${word}", and not "${close}". Unless a source is called so, it has no effect.`,
      })),
    )
}
