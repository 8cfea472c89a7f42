import type { HookPayload, SkillHookEvent } from '@skills/invocation'
import type { Scopes } from './nesting.js'
import type { SessionHooks } from './session-hooks.js'
import type { ActiveHook } from './active-hook.js'

/**
 * The hooks that are to be run, from the outermost agent in: those of the agents around a fork hold in it too, since a
 * fork may never do more.
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

/** The same without the list, for a question that is asked before each call of a tool. */
export function hasHooksFor(
  { registered, nesting }: SessionHooks,
  event: SkillHookEvent,
  { toolName, agentId }: HookPayload,
): boolean {
  const scopes = nesting.scopesOf(agentId)
  for (const hook of registered.for(event, toolName)) if (isFor(hook, scopes)) return true
  return ownStops(registered, event, agentId).length > 0
}

/** A fork stops as a sub-agent does: what its skill asks to be told of under `Stop` is just that. */
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
