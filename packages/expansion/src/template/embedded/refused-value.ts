import { refusedPowerShellValue } from './powershell-values.js'
import { isWholeNumber, type Refusal, type ShellValue } from './shell-value.js'
import { effectsOf, isName, simpleCommands } from '@skills/rules/internal'
import { builtins } from './bash-names.js'

/**
 * Finds a value that must not be given to a script in an environment variable, because the shell or a program that the
 * shell starts might evaluate the value. Follows each value to every place that it may reach. Nothing is run. See
 * docs/reference/expansion.md, "Embedded commands".
 * @param script script with the variables in it
 * @param values values by variable
 */
export async function refusedValue(
  shell: 'bash' | 'powershell',
  script: string,
  values: Readonly<Record<string, ShellValue>>,
): Promise<Refusal | undefined> {
  if (Object.values(values).every(({ text }) => isWholeNumber(text))) return undefined
  if (shell === 'bash' && takeText(script, values)) return undefined
  // The grammar is loaded only for commands that are less plain than most.
  return shell === 'bash'
    ? (await import('./bash-values.js')).refusedBashValue(script, values)
    : refusedPowerShellValue(script, values)
}

/**
 * True if a script surely consists of simple commands only, one after another or in pipes, that take any words as text
 * and run nothing for the words they are given.
 * @param values values by variable
 */
function takeText(script: string, values: Readonly<Record<string, ShellValue>>): boolean {
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
