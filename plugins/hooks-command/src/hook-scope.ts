import type { HookPayload, SkillHookEvent } from '@skills/invocation'
import type { Scopes } from './nesting.js'
import type { SessionHooks } from './session-hooks.js'
import type { ActiveHook } from './active-hook.js'

/**
 * Returns the hooks to run. Hooks of outer agents come first; they apply in a fork too, because a fork may never do
 * more than the agents around it.
 */
export function hooksFor(
  { registered, nesting }: SessionHooks,
  event: SkillHookEvent,
  { toolName, agentId }: HookPayload,
): readonly ActiveHook[] {
  const scopes = nesting.scopesOf(agentId)
  const hooks = registered.for(event, toolName).filter(hook => isFor(hook, scopes))
  const inOrder =
    scopes.length === 1
      ? hooks
      : hooks.toSorted((one, other) => scopes.indexOf(one.owner.agentId) - scopes.indexOf(other.owner.agentId))
  return [...inOrder, ...ownStops(registered, event, agentId)]
}

/**
 * Returns true if there are hooks to run. It does not make the list, because it is called before each call of a tool.
 */
export function hasHooksFor(
  { registered, nesting }: SessionHooks,
  event: SkillHookEvent,
  { toolName, agentId }: HookPayload,
): boolean {
  const scopes = nesting.scopesOf(agentId)
  for (const hook of registered.for(event, toolName)) if (isFor(hook, scopes)) return true
  return ownStops(registered, event, agentId).length > 0
}

/** Returns the `Stop` hooks of a fork's skill, since a fork stops as a sub-agent. */
function ownStops(
  registered: SessionHooks['registered'],
  event: SkillHookEvent,
  agentId: string | undefined,
): readonly ActiveHook[] {
  if (event !== 'SubagentStop' || agentId === undefined) return []
  return registered.for('Stop', undefined).filter(hook => isFor(hook, [agentId]))
}

function isFor({ isDone, owner: { agentId } }: ActiveHook, scopes: Scopes): boolean {
  return !isDone && scopes.includes(agentId)
}
