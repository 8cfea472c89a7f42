import { mayUserInvoke, type Catalog } from '@skills/core'
import type { SlashRules } from './slash.js'

/**
 * What a line that a person is typing may become: for its last word, if that begins with `/`, the line with the name of
 * each command that they may invoke and that begins so, and a space. Nothing for a line that invokes no command, or
 * whose command has arguments already.
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
