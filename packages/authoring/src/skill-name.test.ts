import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkSkillName } from './skill-name.js'

describe('the name of a skill', () => {
  test.each(['a', 'release-notes', 'v2', '漢字', 'é', 'a'.repeat(64)])('%s is accepted', name => {
    expect(checkSkillName(name)).toBeUndefined()
  })

  test.each([
    ['Release-Notes', 'upper-case', 'release-notes'],
    ['releaseNotes', 'upper-case', 'release-notes'],
    ['release notes', 'characters other than', 'release-notes'],
    ['release_notes', 'characters other than', 'release-notes'],
    ['-release--notes-', 'hyphen', 'release-notes'],
    ['../escape', 'characters other than', 'escape'],
    ['a/b', 'characters other than', 'a-b'],
    ['e\u0301', 'look like other characters', 'é'],
    ['ﬁx', 'look like other characters', 'fix'],
    ['a\u3164b', 'invisible character U+3164', 'ab'],
    [`${'a'.repeat(63)}-b`, '65 characters', 'a'.repeat(63)],
  ])('%s is refused for a reason, and the nearest is proposed', (name, reason, nearest) => {
    const problem = checkSkillName(name)
    expect(problem?.message).toContain(reason)
    expect(problem?.nearest).toBe(nearest)
  })

  test.each(['', '-', '!!!', '..'])('%j has none near it', name => {
    expect(checkSkillName(name)).toEqual({ message: expect.stringMatching(/\.$/) })
  })

  test('that is proposed is always accepted, and an accepted one is never corrected', () => {
    const unit = fc.oneof(
      fc.constantFrom(...'abcABCéÉİßﬁ09-_ ./\\\u0301\u200d\u3164漢'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    )
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 80 }), units => {
        const problem = checkSkillName(units.join(''))
        expect(problem?.nearest === undefined ? undefined : checkSkillName(problem.nearest)).toBeUndefined()
      }),
      { numRuns: 500 },
    )
  })
})
