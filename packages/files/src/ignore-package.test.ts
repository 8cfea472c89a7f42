import fc from 'fast-check'
import ignore from 'ignore'
import { describe, expect, test } from 'vitest'
import { differences } from '../test/ignore-differences.js'
import { anyPath, anyPattern } from '../test/ignore-patterns.js'
import { IgnoreRules } from './ignore-rules.js'

// Many runs, on a machine that may be busy.

/**
 * Compares both matchers for one path. Returns undefined if they agree, else the kinds of difference the patterns have.
 */
function compare(patterns: readonly string[], one: string): readonly string[] | undefined {
  const theirs = ignore({ ignorecase: false }).add(patterns)
  if (IgnoreRules.patterns()(patterns)(one) === theirs.ignores(one)) return undefined
  return differences.filter(({ isIn }) => patterns.some(isIn)).map(({ kind }) => kind)
}

describe('patterns mean what they mean to `ignore`, but for the differences that are listed', () => {
  test.each(differences)('$kind', ({ kind, example: [written, one] }) => {
    expect(compare(written, one)).toContain(kind)
  })

  test('for generated patterns and paths', () => {
    let ignored = 0
    fc.assert(
      fc.property(
        fc.array(anyPattern, { minLength: 1, maxLength: 4 }),
        fc.array(anyPath, { minLength: 5 }),
        (all, paths) => {
          for (const one of paths) {
            if (IgnoreRules.patterns()(all)(one)) ignored++
            expect(compare(all, one), one).not.toEqual([])
          }
        },
      ),
      { numRuns: 3_000 },
    )
    // Makes sure that the generated patterns ignore something.
    expect(ignored).toBeGreaterThan(1_000)
  })
})
