import { namesTool, ToolRules, type PermissionDecision } from '@skills/rules'
import type { PathPlace } from '@skills/rules/internal'
import type { AgentContext } from './executor.js'
import type { ToolCall, ToolLimits } from './runner.js'

/** Which tools the skills at work leave to an agent, in the form that forks and runners have for it. */
export function toolLimitsOf({
  toolPermissionContext: { onlyTools, disallowedTools = [] } = {},
}: AgentContext): ToolLimits {
  return { ...(onlyTools !== undefined && { only: onlyTools }), without: disallowedTools }
}

/**
 * Whether an agent is shown a tool. A rule with something in parentheses leaves the tool there: which calls it means is
 * for the question about each call to say.
 */
export function isOffered(tool: string, { only, without }: ToolLimits): boolean {
  return (
    !without.some(rule => isWhole(rule) && namesTool(rule, tool, 'without')) &&
    (only === undefined || only.some(rule => namesTool(rule, tool, 'only')))
  )
}

const isWhole = (rule: string): boolean => /^[^(]*(?:\(\*?\))?$/s.test(rule.trim())

/**
 * The denial of a call that the skills at work do without; undefined when they leave it to the agent.
 * @param place what paths of files start from
 */
export async function deniedByLimits(
  { tool, content, paths }: Pick<ToolCall, 'tool' | 'content' | 'paths'>,
  { only, without }: ToolLimits,
  place: PathPlace,
): Promise<PermissionDecision | undefined> {
  const use = { tool, content, paths, place }
  const rule = await new ToolRules('without', without).ruleFor(use)
  if (rule !== undefined) return denial(`A skill that is at work does without ${rule}.`, rule)
  if (only === undefined || (await new ToolRules('only', only).ruleFor(use)) !== undefined) return undefined
  return denial(
    `The skills at work may use ${only.length === 0 ? 'no tools' : `only ${only.join(', ')}`}, which this call of ${tool} is not.`,
  )
}

function denial(message: string, rule?: string): PermissionDecision {
  return { behavior: 'deny', message, decisionReason: { type: 'rule', rule, source: 'the skills at work' } }
}
