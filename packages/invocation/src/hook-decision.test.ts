import { expect, test } from 'vitest'
import { hookDecision, type HookVerdict } from './index.js'

const reason = 'It is pushed.'

test.each<[HookVerdict, 'deny' | 'ask' | undefined]>([
  [{}, undefined],
  [{ reason }, undefined],
  [{ block: false, ask: false, stop: false, reason }, undefined],
  [{ block: true, reason }, 'deny'],
  [{ block: true, ask: true, reason }, 'ask'],
  [{ ask: true, reason }, 'ask'],
  [{ stop: true, reason }, 'deny'],
  [{ block: true, ask: true, stop: true, reason }, 'deny'],
])('of %j the decision is %s', (verdict, behavior) => {
  expect(hookDecision('Bash', verdict)).toEqual(
    behavior && { behavior, message: reason, decisionReason: { type: 'rule', source: 'PreToolUse' } },
  )
})

test('a hook that says nothing more is spoken for', () => {
  expect(hookDecision('Bash', { block: true })?.message).toBe('A hook blocks the use of Bash.')
})
