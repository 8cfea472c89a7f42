import { permissionOf, ruled, settled } from './decision.js'
import { hookDecision } from './hook-decision.js'
import { decide, type HookVerdict } from './hooks.js'
import { toolContent } from './tool-content.js'
import { deniedByLimits, toolLimitsOf } from './tool-limits.js'
import type { CatalogEntry, LocalCommand, Skills } from '@skills/core'
import type { InSession } from './session/in-session.js'
import type { AgentContext } from './executor.js'
import type { OnAsk, PermissionDecision, PermissionRequest } from '@skills/rules'
import type { ToolCall } from './runner.js'

/** A call of one of the host's own tools, such as reading a file, that a model wants to make. */
export interface OwnToolCall extends Omit<ToolCall, 'content'>, InSession {
  /** What rules are compared with. Default: what {@link toolContent} makes of the input. */
  readonly content?: string | undefined
  /** Undefined for the main conversation. */
  readonly agentId?: string | undefined
}

export interface AskPermissionOptions {
  /** Asked when no rule decides. Without it, the call is denied. */
  readonly onAsk?: OnAsk | undefined
  /** What the agent runs with. Tools that its active skills allow are permitted; tools that they exclude are denied. */
  readonly context?: AgentContext | undefined
  readonly signal?: AbortSignal | undefined
}

/** A decision about a tool of the host's own: `allow` or `deny`. */
export interface AskedPermission extends PermissionDecision {
  readonly behavior: 'allow' | 'deny'
  /**
   * What the hooks said, where they were asked: it may hold what the model is to be told besides, or that the agent is
   * to end.
   */
  readonly verdict?: HookVerdict | undefined
}

const command: LocalCommand = {
  type: 'local',
  name: 'conversation',
  displayName: 'conversation',
  aliases: [],
  description: 'The conversation itself.',
  hasUserSpecifiedDescription: false,
  source: 'builtin',
  loadedFrom: 'builtin',
  userInvocable: false,
  isHidden: true,
  isEnabled: () => true,
  call: () => undefined,
}

/** On whose behalf a host's own tools are used: it is in no catalog. */
const conversation: CatalogEntry = {
  name: 'conversation',
  command,
  provider: 'host',
  override: 'on',
  isQualified: false,
}

/** Whether a request is about a tool of the host's own, and not about a skill or what one does. */
export function isOwnTool({ tool, entry }: Pick<PermissionRequest, 'tool' | 'entry'>): boolean {
  return tool !== 'Skill' && entry.command.type !== 'prompt'
}

/**
 * Asks whether a tool of the host's own may be called, as a model wants it: the skills at work, the hooks of
 * `PreToolUse`, the permission rules, and the host for what the rules leave open. Each of them can only take away.
 * Emits `permission:decided`. Rejects with `E_NO_PERMISSION` where there is no permission provider, with `E_CLOSED`,
 * and with an `AbortError` when the signal aborts or the engine closes. See
 * docs/reference/permissions.md, "Permission for the host's own tools".
 *
 *     const { behavior, message } = await askPermission(skills, { tool: 'Bash', input: { command } }, { onAsk, signal
 * }) if (behavior !== 'allow') return message
 */
export async function askPermission(
  skills: Pick<Skills, 'use' | 'signal' | 'emit' | 'host'>,
  call: OwnToolCall,
  { onAsk, context = {}, signal }: AskPermissionOptions = {},
): Promise<AskedPermission> {
  const { tool, input, content = toolContent(tool, input), paths, toolUseId, agentId, sessionId } = call
  const granted = context.toolPermissionContext?.alwaysAllowRules?.command
  const request: PermissionRequest = {
    tool,
    content,
    input,
    paths,
    entry: conversation,
    trust: 'trusted',
    caller: 'model',
    args: '',
    agentId,
    sessionId,
    granted,
  }
  const permission = permissionOf(skills, `${tool} may not be used`)

  async function decided(): Promise<PermissionDecision & Pick<AskedPermission, 'verdict'>> {
    const limited = await deniedByLimits(request, toolLimitsOf(context), skills.host)
    if (limited !== undefined) return limited
    const verdict = await decide(
      skills,
      'PreToolUse',
      { toolName: tool, toolInput: input, toolUseId, agentId, sessionId },
      { signal },
    )
    const asked = await ruled(permission, request, { objection: hookDecision(tool, verdict), signal })
    return { ...(await settled(request, asked, { onAsk, signals: [signal, skills.signal] })), verdict }
  }

  const { verdict, ...decision } = await decided()
  skills.emit('permission:decided', { request, decision })
  return { ...decision, behavior: decision.behavior === 'allow' ? 'allow' : 'deny', ...(verdict && { verdict }) }
}
