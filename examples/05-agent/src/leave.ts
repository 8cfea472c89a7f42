import { decide, type AgentContext, type OnAsk, type PermissionRequest } from '@skills/invocation'
import type { CatalogEntry, Skills } from '@skills/core'
import { command } from './engine.js'

/** In whose name the conversation itself uses tools. */
const self: CatalogEntry = { name: 'agent', command: command('agent', 'The conversation itself.', () => undefined), provider: 'agent', override: 'on', isQualified: false }

const toolOf = (rule: string): string => rule.replace(/\(.*$/s, '')

/** Tools that the skills at work leave to the agent. A rule about some calls of a tool takes all of it away: rather too little than too much. */
export function isLeft(tool: string, { toolPermissionContext: { onlyTools, disallowedTools = [] } = {} }: AgentContext): boolean {
  return !disallowedTools.some(rule => toolOf(rule) === tool) && (onlyTools === undefined || onlyTools.some(rule => toolOf(rule) === tool))
}

export interface Use {
  readonly tool: string
  readonly content: string
  readonly input: unknown
  readonly context: AgentContext
}

/** Why a hook of a skill does not want a tool to be used; undefined when none minds. */
export async function objection(skills: Skills, { tool, input }: Pick<Use, 'tool' | 'input'>, signal: AbortSignal): Promise<string | undefined> {
  const { block, reason } = await decide(skills, 'PreToolUse', { toolName: tool, toolInput: input }, { signal })
  return block === true ? reason ?? 'A hook of a skill blocks it.' : undefined
}

/** Why a tool may not be used, after rules and the user were asked; undefined when it may. */
export async function refusal(skills: Skills, onAsk: OnAsk, { tool, content, context }: Omit<Use, 'input'>, signal: AbortSignal): Promise<string | undefined> {
  if (!isLeft(tool, context)) return `A skill that is at work does without ${tool}.`
  // What the skills at work allow themselves holds for this turn.
  const granted = context.toolPermissionContext?.alwaysAllowRules?.command
  const request: PermissionRequest = { tool, content, entry: self, trust: 'trusted', caller: 'model', args: '', ...granted && { granted } }
  const decision = await skills.use('permission').first((permission, call) => permission.check(request, call), { signal })
  if (decision?.behavior === 'allow') return undefined
  if (decision?.behavior !== 'ask') return decision?.message ?? `Nobody decides whether ${tool} may be used.`
  return await onAsk({ request, decision, signal }) === 'allow' ? undefined : `The user does not want ${tool} to be used for this.`
}
