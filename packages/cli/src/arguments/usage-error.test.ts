import { expect, test } from 'vitest'
import { SkillsError } from '@skills/core'
import { asUsageError, isUsageError, UsageError } from './usage-error.js'

test('an option that is not accepted is an argument that is not understood, with its message and its cause', async () => {
  const cause = new SkillsError('E_INVALID_OPTION', 'The name is empty.', { hint: 'Give one.' })
  const error: unknown = await asUsageError(() => Promise.reject(cause)).catch((thrown: unknown) => thrown)
  expect(isUsageError(error)).toBe(true)
  expect(error).toEqual(new UsageError('The name is empty. Give one.', { cause }))
})

test('what else is thrown stays what it is, and what work gives is given', async () => {
  for (const other of [
    new SkillsError('E_STATE', 'It cannot be written.'),
    new TypeError('E_INVALID_OPTION'),
    'text',
  ]) {
    expect(await asUsageError(() => Promise.reject(other)).catch((thrown: unknown) => thrown)).toBe(other)
  }
  expect(await asUsageError(() => Promise.resolve(7))).toBe(7)
})
