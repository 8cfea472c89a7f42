export interface Difference {
  readonly kind: string
  /** Why our matcher differs. */
  readonly reason: string
  /** Patterns, and a path about which the two say different things. */
  readonly example: readonly [patterns: readonly string[], path: string]
  isIn(pattern: string): boolean
}

/** The differences between our matcher and `ignore` of npm. One that is of no kind fails the test that compares them. */
export const differences: readonly Difference[] = [
  {
    kind: 'a quoted slash before `**`',
    reason:
      'A backslash before a slash quotes it and changes nothing, as git has it; to `ignore` the pattern is another one.',
    example: [['*', '!a\\/**'], 'a/b'],
    isIn: pattern => /\\\/\*\*/.test(pattern),
  },
]
