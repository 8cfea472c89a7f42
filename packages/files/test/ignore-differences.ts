export interface Difference {
  readonly kind: string
  /** Reason why our matcher differs. */
  readonly reason: string
  /** Patterns, and a path for which the two give different results. */
  readonly example: readonly [patterns: readonly string[], path: string]
  isIn(pattern: string): boolean
}

/**
 * Differences between our matcher and `ignore` of npm. The test that compares them fails on a difference of any other
 * kind.
 */
export const differences: readonly Difference[] = [
  {
    kind: 'a quoted slash before `**`',
    reason:
      'A backslash before a slash quotes it and changes nothing, as git has it; to `ignore` the pattern is another one.',
    example: [['*', '!a\\/**'], 'a/b'],
    isIn: pattern => /\\\/\*\*/.test(pattern),
  },
]
