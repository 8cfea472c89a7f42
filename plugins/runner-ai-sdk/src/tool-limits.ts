import { namesTool, toolOf } from '@skills/invocation/tool-rules'
import type { ToolLimits } from '@skills/invocation'

/**
 * Whether a sub-agent is shown a tool. A rule with something in parentheses leaves the tool there: which calls it means
 * is for `authorize` to say.
 */
export function isOffered(tool: string, { only, without }: ToolLimits): boolean {
  return (
    !without.some(rule => isWhole(rule) && namesTool(rule, tool, 'without')) &&
    (only === undefined || only.some(rule => namesTool(rule, tool, 'only')))
  )
}

/** Which rules name tools that do not exist. */
export function unknownTools(only: readonly string[], tools: readonly string[]): readonly string[] {
  return [...new Set(only.map(toolOf))].filter(name => !name.startsWith('mcp__') && !tools.includes(name))
}

const isWhole = (rule: string): boolean => /^[^(]*(?:\(\*?\))?$/s.test(rule.trim())
