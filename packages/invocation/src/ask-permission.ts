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

/** Call that a model wants to make of one of the host's own tools, such as the tool that reads a file. */
export interface OwnToolCall extends Omit<ToolCall, 'content'>, InSession {
  /** Text that rules are compared with. Default: {@link toolContent} of the input. */
  readonly content?: string | undefined
  /** Undefined for the main conversation. */
  readonly agentId?: string | undefined
}

export interface AskPermissionOptions {
  /** Asked when no rule decides. Without it, the call is denied. */
  readonly onAsk?: OnAsk | undefined
  /**
   * Context that the agent runs with. Tools that its active skills allow are permitted; tools that they exclude are
   * denied.
   */
  readonly context?: AgentContext | undefined
  readonly signal?: AbortSignal | undefined
}

/** Decision about a call of one of the host's own tools: `allow` or `deny`. */
export interface AskedPermission extends PermissionDecision {
  readonly behavior: 'allow' | 'deny'
  /** Answer of the hooks, if they were asked. Its `context` is for the model; its `stop` ends the agent. */
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

/** Entry that stands for the conversation in requests about a host's own tools. It is in no catalog. */
const conversation: CatalogEntry = {
  name: 'conversation',
  command,
  provider: 'host',
  override: 'on',
  isQualified: false,
}

/** True if a request is about one of the host's own tools, and not about a skill or an action of a skill. */
export function isOwnTool({ tool, entry }: Pick<PermissionRequest, 'tool' | 'entry'>): boolean {
  return tool !== 'Skill' && entry.command.type !== 'prompt'
}

/**
 * Asks whether a model may call one of the host's own tools. Asks in turn the limits of the active skills, the hooks of
 * `PreToolUse`, the permission rules and, if no rule decides, the host. Each step can only restrict what the steps
 * before allow. Emits `permission:decided`. See docs/reference/permissions.md, "Permission for the host's own tools".
 *
 *     const { behavior, message } = await askPermission(skills, { tool: 'Bash', input: { command } }, { onAsk, signal })
 *     if (behavior !== 'allow') return message
 *
 * @throws SkillsError `E_NO_PERMISSION` without a permission provider, `E_CLOSED`; an `AbortError` when the signal
 * aborts or the engine closes
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
