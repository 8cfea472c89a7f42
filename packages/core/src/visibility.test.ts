import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { local, skill } from '../test/engine.js'
import {
  isDescribed,
  isHybrid,
  isModelVisible,
  isSlashVisible,
  isUserVisible,
  mayModelInvoke,
  mayUserInvoke,
  type Command,
  type PromptCommand,
} from './index.js'

describe('who may invoke a command', () => {
  test.each([
    [true, false, true, true],
    [false, false, false, true],
    [true, true, true, false],
    [false, true, false, false],
  ])(
    'with userInvocable %s and disableModelInvocation %s: user %s, model %s',
    (userInvocable, disableModelInvocation, user, model) => {
      const command = skill('a', { userInvocable, disableModelInvocation, isHidden: !userInvocable })
      expect([mayUserInvoke(command), mayModelInvoke(command)]).toEqual([user, model])
    },
  )

  test('of another type than prompt is never the model', () => {
    expect([mayUserInvoke(local('a')), mayModelInvoke(local('a'))]).toEqual([true, false])
  })

  test('does not depend on a description', () => {
    expect(mayModelInvoke(skill('a', { hasUserSpecifiedDescription: false, description: '' }))).toBe(true)
  })
})

test('a command is described by a description, also one that was taken from its text, or a when-to-use', () => {
  expect(isDescribed(skill('a', { hasUserSpecifiedDescription: false, description: 'Taken from its text.' }))).toBe(
    true,
  )
  const undescribed = { hasUserSpecifiedDescription: false, description: '' }
  expect(isDescribed(skill('a'))).toBe(true)
  expect(isDescribed(skill('a', undescribed))).toBe(false)
  expect(isDescribed(skill('a', { ...undescribed, whenToUse: 'Always.' }))).toBe(true)
  expect(isDescribed(skill('a', { ...undescribed, whenToUse: '' }))).toBe(false)
  expect(isDescribed(local('a', undescribed))).toBe(false)
})

describe('the lists', () => {
  const listsOf = (command: Command): string =>
    Object.entries({
      model: isModelVisible(command),
      slash: isSlashVisible(command),
      hybrid: isHybrid(command),
      user: isUserVisible(command),
    })
      .flatMap(([name, isIn]) => (isIn ? [name] : []))
      .join(' ')

  test.each<[string, Partial<PromptCommand>, string]>([
    ['a skill', {}, 'model hybrid user'],
    ['a skill kept from the model', { disableModelInvocation: true }, 'hybrid user'],
    ['a hidden skill', { isHidden: true, userInvocable: false }, 'model hybrid'],
    ['a command', { isSkill: false }, 'slash user'],
    ['a command kept from the model', { isSkill: false, disableModelInvocation: true }, 'hybrid user'],
    ['a built-in prompt', { source: 'builtin' }, ''],
    ['an undescribed skill', { hasUserSpecifiedDescription: false, description: '' }, ''],
    [
      'a skill with only a when-to-use',
      { hasUserSpecifiedDescription: false, description: '', whenToUse: 'Always.' },
      'model hybrid user',
    ],
  ])('hold %s where it belongs', (_, more, lists) => {
    expect(listsOf(skill('a', more))).toBe(lists)
  })

  test('hold prompts only', () => {
    expect(listsOf(local('a', { source: 'user' }))).toBe('')
  })

  test('and callers never have a command that is not enabled, or cannot say', () => {
    const flags = fc.record({
      isSkill: fc.boolean(),
      disableModelInvocation: fc.boolean(),
      userInvocable: fc.boolean(),
      isHidden: fc.boolean(),
      hasUserSpecifiedDescription: fc.boolean(),
      source: fc.constantFrom('user', 'builtin'),
    })
    const isEnabled = fc.constantFrom(
      () => false,
      () => {
        throw new Error('who knows')
      },
    )
    fc.assert(
      fc.property(flags, isEnabled, (more, answer) => {
        for (const command of [skill('a', { ...more, isEnabled: answer }), local('a', { isEnabled: answer })]) {
          expect(listsOf(command)).toBe('')
          expect([mayUserInvoke(command), mayModelInvoke(command)]).toEqual([false, false])
        }
      }),
    )
  })
})
