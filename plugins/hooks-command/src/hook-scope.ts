import type { HookPayload, SkillHookEvent } from '@skills/invocation'
import type { ActiveHook } from './registered-hooks.js'

/** What has happened already: a hook that blocks keeps no other from hearing of it. */
export const told: ReadonlySet<SkillHookEvent> = new Set(['PostToolUse', 'Notification', 'SessionStart', 'SessionEnd'])
/** Events at which a matcher is looked at. */
export const aboutTools: ReadonlySet<SkillHookEvent> = new Set(['PreToolUse', 'PostToolUse'])

/** Whether a hook that is for an event is to be run. Those of the conversation hold in its forks too: a fork may never do more. */
export function isFor({ isDone, owner: { agentId } }: ActiveHook, payload: HookPayload): boolean {
  return !isDone && (agentId === undefined || agentId === payload.agentId)
}
