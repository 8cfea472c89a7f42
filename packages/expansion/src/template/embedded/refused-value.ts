import { refusedPowerShellValue } from './powershell-values.js'
import { isWholeNumber, type Refusal, type ShellValue } from './shell-value.js'
import { effectsOf, isName, simpleCommands } from '@skills/rules/internal'
import { builtins } from './bash-names.js'

/**
 * Says which value must not be given to a script in a variable of the environment, since the shell or a program that it
 * starts might evaluate it: it follows each value to every place where it may come to stand. See
 * docs/reference/expansion.md, "Embedded commands". Nothing is run.
 * @param script with the variables in it
 * @param values by variable
 */
export async function refusedValue(
  shell: 'bash' | 'powershell',
  script: string,
  values: Readonly<Record<string, ShellValue>>,
): Promise<Refusal | undefined> {
  if (Object.values(values).every(({ text }) => isWholeNumber(text))) return undefined
  if (shell === 'bash' && takeText(script, values)) return undefined
  // A grammar is loaded only for a command that is not as plain as most are.
  return shell === 'bash'
    ? (await import('./bash-values.js')).refusedBashValue(script, values)
    : refusedPowerShellValue(script, values)
}

/**
 * Whether a script is surely nothing else than simple commands, one after another or in pipes, that take any words as
 * text and run nothing for those that they are given.
 * @param values by variable
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
