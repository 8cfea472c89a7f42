import { toolOf } from '@skills/rules'

/** Which rules name tools that do not exist. */
export function unknownTools(only: readonly string[], tools: readonly string[]): readonly string[] {
  return [...new Set(only.map(toolOf))].filter(name => !name.startsWith('mcp__') && !tools.includes(name))
}
