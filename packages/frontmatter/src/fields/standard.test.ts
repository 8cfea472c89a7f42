import { describe, expect, test } from 'vitest'
import { checkStandard } from './standard.js'

function check(data: Record<string, unknown>, folderName = 'deploy', bodyLines = 10, bodyChars = 100) {
  return checkStandard({ name: 'deploy', description: 'Deploys.', ...data }, { folderName, bodyLines, bodyChars }).map(({ severity, code, field }) => `${severity} ${code} ${field}`)
}

test('a skill by the book', () => {
  expect(check({ license: 'MIT', compatibility: 'any', metadata: { a: 'b' }, 'allowed-tools': 'Read' })).toEqual([])
})

describe('the name', () => {
  test.each([
    ['deploy', 'deploy'], ['skill-v2', 'skill-v2'], ['技能', '技能'], ['café', 'café'], ['cafe\u0301', 'caf\u00e9'], ['a'.repeat(64), 'a'.repeat(64)], ['7', '7'],
  ])('%s is fine', (name, folder) => {
    expect(check({ name }, folder)).toEqual([])
  })

  test.each([
    ['MySkill', 'error standard-name-case name'],
    ['my--skill', 'error standard-name-hyphens name'],
    ['-my', 'error standard-name-hyphens name'],
    ['my-', 'error standard-name-hyphens name'],
    ['my_skill', 'error standard-name-characters name'],
    ['my skill', 'error standard-name-characters name'],
    ['a'.repeat(65), 'error standard-name-long name'],
    ['', 'error standard-name-missing name'],
  ])('%s is not', (name, problem) => {
    expect(check({ name }, name)).toEqual([problem])
  })

  test('has to be the folder name', () => {
    expect(check({}, 'other')).toEqual(['error standard-name-folder name'])
  })
})

test('the description is required, and has at most 1,024 characters', () => {
  expect(check({ description: ' ' })).toEqual(['error standard-description-missing description'])
  expect(check({ description: '😀'.repeat(1024) })).toEqual([])
  expect(check({ description: 'x'.repeat(1025) })).toEqual(['error standard-description-long description'])
})

test('compatibility has at most 500 characters', () => {
  expect(check({ compatibility: 'x'.repeat(500) })).toEqual([])
  expect(check({ compatibility: 'x'.repeat(501) })).toEqual(['error standard-compatibility-long compatibility'])
})

test('only six keys are allowed', () => {
  expect(check({ 'argument-hint': 'x', version: '1' })).toEqual(['error standard-unknown-key argument-hint', 'error standard-unknown-key version'])
})

test('a long body is advice', () => {
  expect(check({}, 'deploy', 500, 20_000)).toEqual([])
  expect(check({}, 'deploy', 501)).toEqual(['info standard-body-long body'])
  expect(check({}, 'deploy', 1, 20_001)).toEqual(['info standard-body-long body'])
})
