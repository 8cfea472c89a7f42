import { effectsOf, isName, simpleCommands } from '@skills/rules/internal'
import { builtins } from './bash-names.js'
import type { ShellValue } from './shell-value.js'

/**
 * Whether a script is surely nothing else than simple commands, one after another or in pipes, that take any words as
 * text and run nothing for those that they are given.
 * @param values by variable
 */
export function takeText(script: string, values: Readonly<Record<string, ShellValue>>): boolean {
  const texts = Object.fromEntries(Object.entries(values).map(([name, { text }]) => [name, text]))
  const commands = simpleCommands(script, texts)
  return (
    commands?.every(words => {
      const name = words[0]?.text
      if (name === undefined || !isName(name)) return false
      const use = builtins.get(name)
      return (use === undefined || use === 'data') && effectsOf(words).found.length === 0
    }) === true
  )
}
