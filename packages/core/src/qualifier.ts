import { lookOf } from './name-look.js'
import type { Command } from './command.js'

/** First test: only such names can be qualified. Without the flag for case, which takes four times as long. */
const mayBeQualified = /^[Mm][Cc][Pp]__|[:\u0080-\uffff]/

/**
 * Returns the word before the first colon of a name, in the form of its look, if it is not the command's own plugin or
 * qualifier. `mcp__` stands for all servers. Undefined if the name is not qualified, or by the command's own word. See
 * docs/reference/commands.md, "Names".
 */
export function qualifierOf(name: string, command: Command): string | undefined {
  if (!mayBeQualified.test(name)) return undefined
  const [first = '', rest] = lookOf(name).split(':')
  if (first.startsWith('mcp__')) return command.loadedFrom === 'mcp' ? undefined : 'mcp__'
  if (rest === undefined) return undefined
  const { pluginName, qualifier } = command.type === 'prompt' ? command : {}
  return [pluginName, qualifier ?? command.source].some(word => word !== undefined && lookOf(word) === first)
    ? undefined
    : first
}
