import type { HookPayload, SkillHookEvent } from '@skills/invocation'
import type { Host } from '@skills/core'

/** Names of `reason` in the JSON of events, if it has another. */
const reasonNames: Partial<Record<SkillHookEvent, string>> = { SessionStart: 'source', PreCompact: 'trigger' }

/**
 * Makes the input of a hook: one line of JSON, with the names that hooks of other agents use.
 * @throws TypeError for a payload that cannot be written as JSON
 */
export function hookInput(
  event: SkillHookEvent,
  payload: HookPayload,
  { sessionId, cwd }: Pick<Host, 'sessionId' | 'cwd'>,
): string {
  const {
    toolName,
    toolInput,
    toolResponse,
    toolUseId,
    prompt,
    message,
    reason,
    stopHookActive,
    agentId,
    sessionId: ofSession = sessionId,
  } = payload
  const asksToStop = event === 'Stop' || event === 'SubagentStop'
  return `${JSON.stringify({
    session_id: ofSession,
    cwd,
    hook_event_name: event,
    tool_name: toolName,
    tool_input: toolInput,
    tool_response: toolResponse,
    tool_use_id: toolUseId,
    prompt,
    message,
    [reasonNames[event] ?? 'reason']: reason,
    agent_id: agentId,
    ...(asksToStop && { stop_hook_active: stopHookActive ?? false }),
  })}\n`
}
