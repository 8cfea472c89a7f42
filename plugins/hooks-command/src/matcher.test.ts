import fc from 'fast-check'
import { readHooks } from '@skills/invocation'
import { expect, test } from 'vitest'
import { Matcher } from './matcher.js'

const never = (): never => {
  throw new Error('Every name here can be decided about.')
}

test.each([
  ['Bash', 'Bash', true],
  ['Bash', 'BashOutput', false],
  ['Bash', 'bash', false],
  ['Edit|Write', 'Write', true],
  ['Edit | Write', 'Edit', true],
  ['Edit, Write', 'Write', true],
  ['Edit|Write', 'MultiEdit', false],
  ['mcp__a-b__c', 'mcp__a-b__c', true],
  ['mcp__a-b__c', 'mcp__a-b__cd', false],
  ['', 'Bash', true],
  ['*', 'Bash', true],
  [' * ', 'Bash', true],
  ['mcp__.*', 'mcp__x__y', true],
  ['Notebook.*|Edit', 'MultiEdit', true],
  ['^Edit$', 'MultiEdit', false],
  ['.*', '', true],
  ['^(?!Read$)', 'Read', false],
  ['Edit|', '', true],
  ['Edit|', 'Read', false],
] as const)('the matcher "%s" and the tool "%s": %s', (matcher, name, matches) => {
  expect(new Matcher(matcher, 1000, never).matches(name)).toBe(matches)
})

test('without a tool only what is for all tools matches', () => {
  expect(['', '*', 'Bash', '.*'].map(matcher => new Matcher(matcher, 1000, never).matches(undefined))).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('an answer is kept by the name of the tool', () => {
  const asked: string[] = []
  const matcher = new Matcher('^(a+)+$', 500, name => asked.push(name))
  const name = `${'a'.repeat(50)}!`
  expect([matcher.matches(name), matcher.matches(name), matcher.matches('b'), matcher.matches(name)]).toEqual([
    true,
    true,
    false,
    true,
  ])
  expect(asked).toEqual([name])
})

test('names are matched as a list says, regardless of their letters', () => {
  const name = fc.stringMatching(/^[\w-]{1,12}$/)
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), name, (list, asked) => {
      expect(new Matcher(list.join('|'), 1000, never).matches(asked)).toBe(list.includes(asked))
    }),
  )
})

test('a matcher that is a regular expression answers as that does', () => {
  fc.assert(
    fc.property(
      fc
        .stringMatching(/^[ab.^$|()?]{1,6}$/)
        .filter(
          one =>
            /[.^$()?]/.test(one) &&
            readHooks({ PreToolUse: [{ matcher: one, command: 'true' }] }).problems.length === 0,
        ),
      fc.stringMatching(/^[ab]{0,5}$/),
      (source, name) => {
        expect(new Matcher(source, 1000, never).matches(name)).toBe(new RegExp(source).test(name))
      },
    ),
    { numRuns: 200 },
  )
})
