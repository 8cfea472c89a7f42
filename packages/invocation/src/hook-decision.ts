import type { HookVerdict } from './hooks.js'
import type { PermissionDecision } from '@skills/rules'

/** Decision of hooks about the call of a tool. Hooks can deny the call or ask, but never allow it. */
export interface HookDecision extends PermissionDecision {
  readonly behavior: 'deny' | 'ask'
}

/**
 * Turns the answer of `PreToolUse` hooks into a decision. `stop` wins over `ask`, and both `stop` and `block` deny.
 * Returns undefined if the hooks do not object.
 */
export function hookDecision(
  tool: string,
  { block, ask, stop, reason = `A hook blocks the use of ${tool}.` }: HookVerdict,
): HookDecision | undefined {
  if (block !== true && ask !== true && stop !== true) return undefined
  return {
    behavior: ask === true && stop !== true ? 'ask' : 'deny',
    message: reason,
    decisionReason: { type: 'rule', source: 'PreToolUse' },
  }
}
