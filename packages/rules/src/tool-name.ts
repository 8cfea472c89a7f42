import { parseRule } from './rule.js'
import { fitsWildcard } from './wildcard.js'

/** Returns the name that a rule begins with, valid or not: `Bash` for `Bash(git:*)`. */
export function toolOf(rule: string): string {
  const open = rule.indexOf('(')
  return (open < 0 ? rule : rule.slice(0, open)).trim()
}

/**
 * True if a rule names a tool exactly. Parentheses of the rule are ignored. `mcp__docs` and `mcp__docs__*` name every
 * tool of that server. A `*` in another place stands for any text in a `without` list, and matches nothing in an `only`
 * list, as in `ToolRules`. `tool` may also be a pattern; the result then says whether the rule names every tool that
 * the pattern names.
 */
export function namesTool(rule: string, tool: string, mode: 'only' | 'without'): boolean {
  const name = toolOf(rule)
  const parsed = parseRule(name, mode === 'only' ? 'allow' : 'deny')
  // An invalid name may still be that of a tool. An invalid pattern names nothing.
  if ('problem' in parsed) return name === tool && !name.includes('*')
  return name === tool || (parsed.tool.includes('*') && fitsWildcard(tool, parsed.tool))
}
