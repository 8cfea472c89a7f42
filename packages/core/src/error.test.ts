import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as core from './index.js'
import { abortError, errorCodes, isAbortError, messageOf, SkillsError } from './index.js'

test('the codes are these', () => {
  expect(Object.keys(errorCodes)).toEqual([
    'E_ALREADY_RUNNING',
    'E_AMBIGUOUS_NAME',
    'E_CLOSED',
    'E_CONTRACT_VERSION',
    'E_DENIED',
    'E_DUPLICATE_KIND',
    'E_DUPLICATE_PROVIDER',
    'E_FILE_CHANGED',
    'E_INVALID_OPTION',
    'E_INVALID_SKILL',
    'E_MISSING_PROVIDER',
    'E_NO_PERMISSION',
    'E_NO_RENDERER',
    'E_NOT_INVOCABLE',
    'E_PROVIDER_FAILED',
    'E_SHELL',
    'E_STATE',
    'E_TIMEOUT',
    'E_TOO_DEEP',
    'E_TOO_MANY_PROVIDERS',
    'E_UNDECLARED_NEED',
    'E_UNKNOWN_KIND',
    'E_UNKNOWN_NAME',
    'E_WRITE',
  ])
})

test('the page of errors explains each of them', () => {
  const text = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8')
  expect(Object.keys(errorCodes).filter(code => !text.includes(`| \`${code}\` |`))).toEqual([])
})

describe('a SkillsError', () => {
  test('has a code, a sentence that ends with what to do, and the cause', () => {
    const cause = new Error('below')
    const error = new SkillsError('E_TIMEOUT', 'It took too long.', { hint: 'Wait.', cause })
    expect(error).toMatchObject({
      name: 'SkillsError',
      code: 'E_TIMEOUT',
      message: 'It took too long. Wait.',
      hint: 'Wait.',
      cause,
    })
    expect(error).toBeInstanceOf(Error)
  })

  test('without a hint or cause has neither', () => {
    const error = new SkillsError('E_TIMEOUT', 'It took too long.')
    expect(error.message).toBe('It took too long.')
    expect(error.hint).toBeUndefined()
    expect('cause' in error).toBe(false)
  })

  test('is recognised by another copy of the class', async () => {
    // A query makes the loader evaluate the module a second time, as two installed versions would.
    const copy: typeof core = await import(`./error.js?${'copy'}`)
    expect(copy.SkillsError).not.toBe(SkillsError)
    const error = new copy.SkillsError('E_CLOSED', 'Closed.')
    expect(error).not.toBeInstanceOf(SkillsError)
    expect(SkillsError.is(error)).toBe(true)
    expect(copy.SkillsError.is(new SkillsError('E_CLOSED', 'Closed.'))).toBe(true)
  })

  test.each([[new Error('plain')], [undefined], [null], ['text'], [{ code: 'E_CLOSED' }]])('is not %s', value => {
    expect(SkillsError.is(value)).toBe(false)
  })

  test('is what every exported error class makes', () => {
    const unbranded = Object.entries(core).filter(
      ([, value]) => isErrorClass(value) && !SkillsError.is(new value('E_CLOSED', 'x')),
    )
    expect(unbranded.map(([name]) => name)).toEqual([])
    expect(Object.values(core).filter(isErrorClass)).toContain(SkillsError)
  })
})

describe('the error of an aborted signal', () => {
  test('is the signal’s own reason when that is an AbortError', () => {
    const { signal } = new AbortController()
    expect(abortError(AbortSignal.abort()).name).toBe('AbortError')
    const aborted = AbortSignal.abort()
    expect(abortError(aborted)).toBe(aborted.reason)
    expect(isAbortError(abortError(signal))).toBe(true)
  })

  test('has any other reason as its cause', () => {
    const reason = new SkillsError('E_CLOSED', 'Closed.')
    expect(abortError(AbortSignal.abort(reason))).toMatchObject({ name: 'AbortError', cause: reason })
  })
})

test('what was thrown has a message', () => {
  expect(messageOf(new Error('boom'))).toBe('boom')
  expect(messageOf('boom')).toBe('boom')
  expect(messageOf(undefined)).toBe('undefined')
})

function isErrorClass(value: unknown): value is new (code: string, message: string) => Error {
  return typeof value === 'function' && value.prototype instanceof Error
}
