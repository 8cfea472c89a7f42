import { parseRule } from './rule.js'
import { fitsWildcard } from './wildcard.js'

/**
 * The name that a rule begins with: `Bash` of `Bash(git:*)`. It is what is written, whether or not the rule can be
 * understood.
 */
export function toolOf(rule: string): string {
  const open = rule.indexOf('(')
  return (open < 0 ? rule : rule.slice(0, open)).trim()
}

/**
 * Whether a rule is about a tool, by its name alone and exactly; which of its calls it means is not asked. `mcp__docs`
 * and `mcp__docs__*` are about every tool of that server. A `*` elsewhere stands for anything in a list of what to do
 * without, and for nothing in one of the only tools there are, as in `ToolRules`. `tool` may be such a pattern itself,
 * as in "is all that this one names named by the other?".
 */
export function namesTool(rule: string, tool: string, mode: 'only' | 'without'): boolean {
  const name = toolOf(rule)
  const parsed = parseRule(name, mode === 'only' ? 'allow' : 'deny')
  // A name that no rule can have may be that of a tool all the same; one with a pattern names nothing where it cannot
  // be understood.
  if ('problem' in parsed) return name === tool && !name.includes('*')
  return name === tool || (parsed.tool.includes('*') && fitsWildcard(tool, parsed.tool))
}
