import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { closestNames, compareCodeUnits, nameKey } from './index.js'
import { editsBetween } from './name.js'

test('names are compared in one Unicode form', () => {
  expect(nameKey('cafe\u0301')).toBe('caf\u00e9')
  expect(nameKey('plain')).toBe('plain')
  fc.assert(fc.property(fc.string({ unit: 'binary' }), text => nameKey(nameKey(text)) === nameKey(text)))
})

test('the order is by code unit, not by language', () => {
  expect(['b', 'a', 'B', 'ä', '10', '9'].toSorted(compareCodeUnits)).toEqual(['10', '9', 'B', 'a', 'b', 'ä'])
  expect(compareCodeUnits('a', 'a')).toBe(0)
})

describe('the closest names', () => {
  test('are few edits away, best first, ties by code unit', () => {
    expect(closestNames('deploy', ['deployd', 'deplyo', 'depoly', 'review', 'Deploy'])).toEqual([
      'Deploy',
      'deployd',
      'deplyo',
    ])
  })

  test('may begin alike, after those that are close', () => {
    expect(closestNames('dep', ['deploy-everything', 'dip', 'deploy'])).toEqual(['dip', 'deploy', 'deploy-everything'])
  })

  test('forgive two swapped letters in a short word', () => {
    expect(closestNames('lits', ['list', 'explain'])).toEqual(['list'])
  })

  test('are as many as asked for', () => {
    expect(closestNames('aa', ['ab', 'ac', 'ad', 'ae'], 2)).toEqual(['ab', 'ac'])
  })

  test('are none when nothing is close', () => {
    expect(closestNames('a', ['b', 'c'])).toEqual([])
    expect(closestNames('deploy', ['review', 'x', ''])).toEqual([])
  })
})

describe('the edits between two words', () => {
  test.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['deploy', 'deploy', 0],
    ['deploy', 'deplo', 1],
    ['deploy', 'deplyo', 1],
    ['ab', 'ba', 1],
    ['aab', 'aba', 1],
    ['kitten', 'sitting', 3],
  ])('%j to %j are %d', (one, other, edits) => {
    expect(editsBetween(one, other)).toBe(edits)
  })

  test('are as many both ways, no more than a whole word, and none of a word and itself', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
    fc.assert(
      fc.property(word, word, (one, other) => {
        const edits = editsBetween(one, other)
        expect(editsBetween(other, one)).toBe(edits)
        expect(edits === 0).toBe(one === other)
        expect(edits).toBeLessThanOrEqual(Math.max(one.length, other.length))
        expect(edits).toBeGreaterThanOrEqual(Math.abs(one.length - other.length))
      }),
    )
  })
})
