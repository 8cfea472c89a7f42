import { toolOf } from '@skills/rules'

/** Returns the tools that rules name but that do not exist. */
export function unknownTools(only: readonly string[], tools: readonly string[]): readonly string[] {
  return [...new Set(only.map(toolOf))].filter(name => !name.startsWith('mcp__') && !tools.includes(name))
}
