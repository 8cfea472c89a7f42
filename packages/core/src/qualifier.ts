import { lookOf } from './name-look.js'
import type { Command } from './command.js'

/** Nothing else can be qualified, nor look like it. Without the flag for case, which takes four times as long. */
const mayBeQualified = /^[Mm][Cc][Pp]__|[:\u0080-\uffff]/

/**
 * The word before the first colon of a name, as it looks, where it is not the command's own: its plugin, or what it is
 * qualified by. `mcp__` is that of all servers. Undefined: the name is not qualified, or the command's own. See
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
