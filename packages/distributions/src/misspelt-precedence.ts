import { closestNames, type Diagnostic } from '@skills/core'

/**
 * Returns a warning for each word in a host's precedence that looks like a misspelt name of one of the distribution's
 * sources. Names of other sources are allowed.
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
