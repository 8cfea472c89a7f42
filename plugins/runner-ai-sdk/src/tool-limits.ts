import type { ToolLimits } from '@skills/invocation'

/**
 * Whether a sub-agent is shown a tool. A rule with something in parentheses leaves the tool there: which calls it means is for
 * `authorize` to say.
 */
export function isOffered(tool: string, { only, without }: ToolLimits): boolean {
  return !without.some(rule => isWhole(rule) && isNamed(tool, rule)) && (only === undefined || only.some(rule => isNamed(tool, rule)))
}

/** Which rules name tools that nobody has. */
export function unknownTools(only: readonly string[], tools: readonly string[]): readonly string[] {
  return [...new Set(only.map(toolOf))].filter(name => !name.startsWith('mcp__') && !tools.some(tool => isNamed(tool, name)))
}

const toolOf = (rule: string): string => rule.replace(/\(.*$/s, '').trim()

const isWhole = (rule: string): boolean => /^[^(]*(?:\(\*?\))?$/s.test(rule.trim())

/** `mcp__docs` and `mcp__docs__*` stand for every tool of that server, and `*` for all. */
function isNamed(tool: string, rule: string): boolean {
  const name = toolOf(rule)
  if (name === tool || name === '*') return true
  if (!name.startsWith('mcp__')) return false
  return name.endsWith('*') ? tool.startsWith(name.slice(0, -1)) : !name.slice(5).includes('__') && tool.startsWith(`${name}__`)
}
