import { expect, test } from 'vitest'
import * as exported from './index.js'
import type { CommandHooksOptions } from './index.js'

test('the package exports these names', () => {
  expect(Object.keys(exported).toSorted()).toEqual(['commandHooks'])
})

test.each<CommandHooksOptions>([
  { timeoutMs: 0 },
  { timeoutMs: 2 ** 31 },
  { graceMs: -1 },
  { maxOutputBytes: 0.5 },
  { matchLimitMs: Infinity },
  { closeTimeoutMs: Number.NaN },
  { program: '' },
])('options that are not accepted are refused at once: %j', options => {
  expect(() => exported.commandHooks(options)).toThrow(expect.objectContaining({ code: 'E_INVALID_OPTION' }))
})

test('no limit is one too', () => {
  expect(
    exported.commandHooks({
      timeoutMs: Infinity,
      graceMs: Infinity,
      maxOutputBytes: Infinity,
      closeTimeoutMs: Infinity,
    }),
  ).toMatchObject({ kind: 'hooks', id: 'command' })
})
