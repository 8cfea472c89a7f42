import type { HookVerdict } from './hooks.js'
import type { PermissionDecision } from '@skills/rules'

/** What hooks decided about the call of a tool. It never permits the call. */
export interface HookDecision extends PermissionDecision {
  readonly behavior: 'deny' | 'ask'
}

/**
 * What hooks of `PreToolUse` decide: to end the agent counts for more than to ask, and to ask is to block unless a
 * person says otherwise. Undefined where they have nothing against the call.
 */
export function hookDecision(
  tool: string,
  { block, ask, stop, reason = `A hook does not let ${tool} be used.` }: HookVerdict,
): HookDecision | undefined {
  if (block !== true && ask !== true && stop !== true) return undefined
  return {
    behavior: ask === true && stop !== true ? 'ask' : 'deny',
    message: reason,
    decisionReason: { type: 'rule', source: 'PreToolUse' },
  }
}
