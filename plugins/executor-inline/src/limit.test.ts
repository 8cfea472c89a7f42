import { expect, test } from 'vitest'
import { contextModifier } from './messages.js'

const grant = { allowedTools: ['Bash'], disallowedTools: [], model: undefined, effort: undefined, isStrict: true }

test('a list of tools that grants nothing is a limit, and allows nothing unasked afterwards', () => {
  const before = { toolPermissionContext: { alwaysAllowRules: { command: ['Read'] } } }
  const limit = contextModifier({ ...grant, grantsNothing: true })?.(before)
  expect(limit?.toolPermissionContext).toEqual({ alwaysAllowRules: { command: ['Read'] }, onlyTools: ['Bash'] })
  const granted = contextModifier(grant)?.(before)
  expect(granted?.toolPermissionContext).toEqual({
    alwaysAllowRules: { command: ['Read', 'Bash'] },
    onlyTools: ['Bash'],
  })
})
