import { mayUserInvoke, type Catalog } from '@skills/core'
import type { SlashRules } from './slash.js'

/**
 * Completes the last word of a line that a person is typing. The result has a line for each command that the person may
 * invoke and whose name begins with that word: the completed line and a space. Returns nothing if the last word does
 * not begin with `/`, or if a command before it already has arguments.
 */
export function completeSlash(
  line: string,
  { entries }: Pick<Catalog, 'entries'>,
  { most = 6 }: Pick<SlashRules, 'most'> = {},
): readonly string[] {
  const names = entries.filter(({ command }) => mayUserInvoke(command)).map(({ name }) => name)
  const words = line.split(/(?<=\s)(?=\S)/)
  const last = words.pop() ?? ''
  const isForCommands =
    last.startsWith('/') &&
    words.length < most &&
    words.every(word => word.startsWith('/') && names.includes(word.trim().slice(1)))
  if (!isForCommands) return []
  const before = words.join('')
  return names.filter(name => `/${name}`.startsWith(last)).map(name => `${before}/${name} `)
}
