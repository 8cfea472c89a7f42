import { namesTool, ToolRules, type PermissionDecision } from '@skills/rules'
import type { PathPlace } from '@skills/rules/internal'
import type { AgentContext } from './executor.js'
import type { ToolCall, ToolLimits } from './runner.js'

/** Converts the tools that active skills leave to an agent into limits for forks and runners. */
export function toolLimitsOf({
  toolPermissionContext: { onlyTools, disallowedTools = [] } = {},
}: AgentContext): ToolLimits {
  return { ...(onlyTools !== undefined && { only: onlyTools }), without: disallowedTools }
}

/**
 * True if an agent is offered a tool. A tool with a rule such as `Bash(git:*)` is offered, and each call is then
 * checked against the rule.
 */
export function isOffered(tool: string, { only, without }: ToolLimits): boolean {
  return (
    !without.some(rule => isWhole(rule) && namesTool(rule, tool, 'without')) &&
    (only === undefined || only.some(rule => namesTool(rule, tool, 'only')))
  )
}

const isWhole = (rule: string): boolean => /^[^(]*(?:\(\*?\))?$/s.test(rule.trim())

/**
 * Returns the denial of a call that the active skills exclude; undefined if they allow the call.
 * @param place folder that relative paths start from, with the home folder
 */
export async function deniedByLimits(
  { tool, content, paths }: Pick<ToolCall, 'tool' | 'content' | 'paths'>,
  { only, without }: ToolLimits,
  place: PathPlace,
): Promise<PermissionDecision | undefined> {
  const use = { tool, content, paths, place }
  const rule = await new ToolRules('without', without).ruleFor(use)
  if (rule !== undefined) return denial(`An active skill forbids ${rule}.`, rule)
  if (only === undefined || (await new ToolRules('only', only).ruleFor(use)) !== undefined) return undefined
  return denial(
    `The skills at work may use ${only.length === 0 ? 'no tools' : `only ${only.join(', ')}`}, which this call of ${tool} is not.`,
  )
}

function denial(message: string, rule?: string): PermissionDecision {
  return { behavior: 'deny', message, decisionReason: { type: 'rule', rule, source: 'the skills at work' } }
}
